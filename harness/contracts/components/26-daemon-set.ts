import { daemonSets } from '../../api/plain-resources.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Runs a pod of each DaemonSet on every node that fits. */
export const daemonSetController: Part<Component> = {
  kata: '26-daemon-set',
  subject: 'daemonSetController',
  process: {
    name: 'daemonset-controller',
    once: 'cluster',
    word: 'daemonset',
    user: 'system:serviceaccount:kube-system:daemon-set-controller',
    optional: true,
    startsWith: [daemonSets],
  },
};
