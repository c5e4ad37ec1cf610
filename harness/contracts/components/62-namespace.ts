import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Deletes the content of deleted namespaces, and then the namespaces. */
export const namespaceController: Part<Component> = {
  kata: '62-namespace',
  subject: 'namespaceController',
  process: {
    name: 'namespace-controller',
    once: 'cluster',
    word: 'namespace',
    optional: true,
    only: 'secured',
  },
};
