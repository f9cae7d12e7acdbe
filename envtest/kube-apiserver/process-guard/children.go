package main

import (
	"os"
	"strconv"
	"strings"
)

// children returns the processes whose parent is the given one.
func children(parent int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err == nil && parentOf(string(stat)) == parent {
			found = append(found, pid)
		}
	}
	return found
}

// parentOf reads the parent from a line such as "17 (a program) S 1 …". The name may have any characters.
func parentOf(stat string) int {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return parent
}
