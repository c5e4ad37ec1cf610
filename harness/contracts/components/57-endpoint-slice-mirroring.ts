import { endpoints } from '../../api/resource.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Copies the Endpoints of Services without a selector into EndpointSlices. */
export const endpointSliceMirroringController: Part<Component> = {
  kata: '57-endpoint-slice-mirroring',
  subject: 'endpointSliceMirroringController',
  process: {
    name: 'endpointslicemirroring-controller',
    once: 'cluster',
    word: 'mirroring',
    optional: true,
    only: 'secured',
    startsWith: [endpoints],
  },
};
