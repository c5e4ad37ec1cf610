import { jobs } from '../../api/plain-resources.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Deletes finished Jobs whose `ttlSecondsAfterFinished` have passed. */
export const ttlAfterFinishedController: Part<Component> = {
  kata: '67-ttl-after-finished',
  subject: 'ttlAfterFinishedController',
  process: {
    name: 'ttl-after-finished-controller',
    once: 'cluster',
    word: 'ttl',
    optional: true,
    startsWith: [jobs],
  },
};
