/** The controllers of {@code batch/v1}: Job and CronJob. */
package dev.clientgo.envtest.controllers.internal.batch;
