import { expect, test } from 'vitest';
import { pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { ConnectionError } from '../connection-error.ts';
import { mayBeBound } from './ask-server.ts';

test.each([
  ['a server that did not answer in time', errors.timeout('too late'), true],
  ['a server that failed', errors.internal('oops'), true],
  ['a server that goes away', errors.unavailable('shutting down'), true],
  ['a connection that broke', new ConnectionError('ECONNRESET', 'reset'), true],
  ['a connection on which nothing came', new ConnectionError('ETIMEDOUT', 'timeout'), true],
  ['anything else that was thrown', new Error('oops'), true],
  ['nothing that was thrown', undefined, true],
  ['a conflict', errors.conflict(pods, 'web', 'it is already assigned'), true],
  ['a port on which nothing listens', new ConnectionError('ECONNREFUSED', 'refused'), false],
  ['a pod that is not there', errors.notFound(pods, 'web'), false],
  ['a refusal', errors.forbidden(pods, 'web', 'no'), false],
  ['too many requests', errors.tooManyRequests('slow down', 1), false],
])('knows whether the pod could have been bound all the same: %s', (_, error, wanted) =>
  expect(mayBeBound(error), 'that it may be bound').toBe(wanted),
);
