/** Client, informers and controllers as beans of a Spring Boot application. */
@org.jspecify.annotations.NullMarked
module dev.clientgo.spring {
  requires static com.fasterxml.jackson.annotation;
  requires static spring.boot.health;
  requires spring.core;
  requires transitive dev.clientgo.controller;
  requires transitive dev.clientgo.controller.micrometer;
  requires transitive spring.beans;
  requires transitive spring.boot;
  requires transitive spring.boot.autoconfigure;
  requires transitive spring.context;

  exports dev.clientgo.spring;

  opens dev.clientgo.spring to
      spring.beans,
      spring.boot,
      spring.context,
      spring.core;
}
