import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Rolls out Deployments by scaling ReplicaSets. */
export const deploymentController: Part<Component> = {
  kata: '24-deployment',
  subject: 'deploymentController',
  process: { name: 'deployment-controller', once: 'cluster', word: 'deployment' },
};
