import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Maintains the EndpointSlices of Services. */
export const endpointSliceController: Part<Component> = {
  kata: '53-endpoints',
  subject: 'endpointSliceController',
  process: { name: 'endpointslice-controller', once: 'cluster', word: 'slices', optional: true },
};

/** Maintains the Endpoints of Services. */
export const endpointsController: Part<Component> = {
  kata: '53-endpoints',
  subject: 'endpointsController',
  process: {
    name: 'endpoints-controller',
    once: 'cluster',
    word: 'endpoints',
    user: 'system:serviceaccount:kube-system:endpoint-controller',
    optional: true,
  },
};
