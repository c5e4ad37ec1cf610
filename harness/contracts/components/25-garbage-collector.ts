import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Deletes objects whose owners are deleted. */
export const garbageCollector: Part<Component> = {
  kata: '25-garbage-collector',
  subject: 'garbageCollector',
  process: {
    name: 'garbage-collector-controller',
    once: 'cluster',
    word: 'collector',
    user: 'system:serviceaccount:kube-system:generic-garbage-collector',
  },
};
