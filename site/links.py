"""Makes the pages of the repository pages of the site: a hook of MkDocs.

A link to a file or folder that is not part of the site, such as a source, becomes a link to the repository. It must exist:
the build fails otherwise, as it does for a link to a page or heading that is not there.
"""

import os
import posixpath
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def replace(link):
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        if files.get_file_from_path(target):
            return link[0]
        readme = posixpath.join(target, "README.md")
        if files.get_file_from_path(readme):
            return posixpath.relpath(readme, folder or ".") + (link[2] or "")
        if not os.path.exists(os.path.join(ROOT, target)):
            return link[0]  # MkDocs says where it is.
        kind = "tree" if os.path.isdir(os.path.join(ROOT, target)) else "blob"
        return f"{config.repo_url}/{kind}/main/{target}{link[2] or ''}"

    parts = CODE.split(markdown)
    return "".join(part if i % 2 else LINK.sub(replace, part) for i, part in enumerate(parts))
