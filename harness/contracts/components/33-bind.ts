import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Binds pods to nodes. */
export const scheduler: Part<Component> = {
  kata: '33-bind',
  subject: 'scheduler',
  process: {
    // The events name the scheduler that a pod requests, not the program that runs it.
    name: 'default-scheduler',
    once: 'cluster',
    word: 'scheduler',
    user: 'system:kube-scheduler',
    // Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.bindingCycle,
    // Scheduler.handleSchedulingFailure
    actions: { Scheduled: 'Binding', FailedScheduling: 'Scheduling' },
  },
};
