import type { NewAccess } from '../access/index.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Creates the access control of an apiserver. */
export const access: Part<NewAccess> = {
  kata: '13-access',
  subject: 'newAccess',
};

/** Aggregates the rules of roles from other roles. */
export const clusterRoleAggregationController: Part<Component> = {
  kata: '13-access',
  subject: 'clusterRoleAggregationController',
  process: {
    name: 'clusterrole-aggregation-controller',
    once: 'cluster',
    word: 'aggregation',
    optional: true,
  },
};
