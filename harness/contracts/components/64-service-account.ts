import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Creates the service account `default` of each namespace. */
export const serviceAccountsController: Part<Component> = {
  kata: '64-service-account',
  subject: 'serviceAccountsController',
  process: {
    name: 'serviceaccount-controller',
    once: 'cluster',
    word: 'accounts',
    user: 'system:serviceaccount:kube-system:service-account-controller',
    optional: true,
    only: 'secured',
  },
};

/** Publishes the certificate of the apiserver's authority in each namespace. */
export const rootCAPublisher: Part<Component> = {
  kata: '64-service-account',
  subject: 'rootCAPublisher',
  process: {
    name: 'root-ca-certificate-publisher-controller',
    once: 'cluster',
    word: 'root-ca',
    user: 'system:serviceaccount:kube-system:root-ca-cert-publisher',
    optional: true,
    only: 'secured',
  },
};

/** Fills the Secrets with a token of a service account, and deletes them with their account. */
export const serviceAccountTokenController: Part<Component> = {
  kata: '64-service-account',
  subject: 'serviceAccountTokenController',
  process: {
    name: 'serviceaccount-token-controller',
    once: 'cluster',
    word: 'tokens',
    // It writes before the accounts of the other controllers exist.
    user: 'system:kube-controller-manager',
    optional: true,
    only: 'secured',
  },
};
