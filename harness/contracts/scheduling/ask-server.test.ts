import { expect, test } from 'vitest';
import { pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { ConnectionError } from '../connection-error.ts';
import { mayBeBound } from './ask-server.ts';

test.each([
  ['a server that did not answer in time', errors.timeout('too late'), true],
  ['a server that failed', errors.internal('oops'), true],
  ['a server that shuts down', errors.unavailable('shutting down'), true],
  ['a connection that broke', new ConnectionError('ECONNRESET', 'reset'), true],
  ['a connection without a response', new ConnectionError('ETIMEDOUT', 'timeout'), true],
  ['another error', new Error('oops'), true],
  ['a thrown undefined', undefined, true],
  ['a conflict', errors.conflict(pods, 'web', 'it is already assigned'), true],
  ['a port without a server', new ConnectionError('ECONNREFUSED', 'refused'), false],
  ['a pod that does not exist', errors.notFound(pods, 'web'), false],
  ['a refusal', errors.forbidden(pods, 'web', 'no'), false],
  ['too many requests', errors.tooManyRequests('slow down', 1), false],
])('knows whether the pod may be bound after a failure: %s', (_, error, wanted) =>
  expect(mayBeBound(error), 'that it may be bound').toBe(wanted),
);
