import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  serviceAccountLaws as laws,
  runServiceAccounts,
  type ServiceAccountScenario,
  serviceAccountScenarios,
} from '#laws/64-service-account';
import { components } from '../components.ts';
import {
  rootCAPublisher,
  serviceAccountsController,
  serviceAccountTokenController,
} from './service-account.ts';

const controllers = {
  accounts: serviceAccountsController,
  publisher: rootCAPublisher,
  tokens: serviceAccountTokenController,
};

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: ServiceAccountScenario) =>
  runServiceAccounts(controllers, components, scenario),
);
const lives = serviceAccountScenarios();

describe('The laws of service accounts', () => {
  test('Completes: in the end each namespace and each Secret has its data', () =>
    holds(laws.completes, lives, live));

  test('Prompt: without faults, a namespace has its defaults within two seconds', () =>
    holds(laws.prompt, lives, live));

  test('Spared: a Secret is deleted only if its account does not exist', () =>
    holds(laws.spared, lives, live));

  test('Its own: a Secret gets the token of its account', () => holds(laws.itsOwn, lives, live));

  test('Kept: the data, labels and annotations of users stay', () => holds(laws.kept, lives, live));

  test('Modest: each controller writes only its own objects', () => holds(laws.modest, lives, live));

  test('Valid: the apiserver accepts exactly the tokens that a Secret holds', () =>
    holds(laws.valid, lives, live));

  test('Gives up: an ended namespace is left alone', () => holds(laws.givesUp, lives, live));

  test('Quiet: at rest nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
