import { expect, test } from 'vitest';
import type { ReplicaSet } from '../../api/objects.ts';
import { replicaSets } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Client } from '../client.ts';
import { readAlive } from './alive.ts';

const web = (uid: string, deletionTimestamp?: string): ReplicaSet =>
  ({
    metadata: { namespace: 'default', name: 'web', uid, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
  }) as ReplicaSet;
const answers = (answer: () => ReplicaSet): Pick<Client, 'get'> =>
  ({ get: async () => answer() }) as unknown as Pick<Client, 'get'>;
const asked = (answer: () => ReplicaSet) => readAlive(answers(answer), web('a'));

test('returns the ReplicaSet from the server, unless its uid differs or it is being deleted', async () => {
  expect((await asked(() => web('a')))?.metadata.uid).toBe('a');
  expect(await asked(() => web('b'))).toBeUndefined();
  expect(await asked(() => web('a', '2024-04-17T00:00:00Z'))).toBeUndefined();
});

test('returns undefined if it does not exist, and throws other errors of the server', async () => {
  const notFound = errors.notFound(replicaSets, 'web');
  const thrown = (error: Error) => (): never => {
    throw error;
  };
  expect(await asked(thrown(notFound))).toBeUndefined();
  await expect(asked(thrown(new Error('broken')))).rejects.toThrow('broken');
});
