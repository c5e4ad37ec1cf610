import { describe, expect, it } from 'vitest';
import type { OwnFile } from '../protocol/own.ts';
import { OwnParts } from './own-parts.ts';

const file: OwnFile = {
  kata: '23-replicaset',
  file: 'katas/23-replicaset/replicaset.ts',
  url: '/replicaset.ts',
  unwritten: [],
  isDone: false,
};
const first = async (): Promise<void> => {};
const second = async (): Promise<void> => {};

describe('The learner’s parts', () => {
  it('keep every version that was loaded', async () => {
    const sources = [first, second];
    const parts = new OwnParts(async (_, version) => ({ replicaSetController: sources[version - 1] }));
    parts.offer([file]);
    expect(await parts.load('23-replicaset')).toEqual({ version: 1, parts: ['replicaSetController'] });
    expect(await parts.load('23-replicaset')).toEqual({ version: 2, parts: ['replicaSetController'] });
    expect([1, 2].map((version) => parts.own('replicaSetController', version))).toEqual([first, second]);
  });

  it('keep the version before when the newest text cannot be loaded', async () => {
    const parts = new OwnParts(async (_, version) => {
      if (version === 2) throw new Error('replicaset.ts:3:1: Unexpected token');
      return { replicaSetController: first };
    });
    parts.offer([file]);
    await parts.load('23-replicaset');
    await expect(parts.load('23-replicaset')).rejects.toThrow(
      'katas/23-replicaset/replicaset.ts: replicaset.ts:3:1',
    );
    expect(parts.files).toMatchObject([{ version: 1, error: 'replicaset.ts:3:1: Unexpected token' }]);
    expect(parts.own('replicaSetController', 1)).toBe(first);
  });

  it('name the export that is missing', async () => {
    const parts = new OwnParts(async () => ({ controller: first }));
    parts.offer([file]);
    await expect(parts.load('23-replicaset')).rejects.toThrow('it does not export replicaSetController');
  });

  it('refuse a kata that the page does not offer, and a version that it never loaded', async () => {
    const parts = new OwnParts(async () => ({}));
    await expect(parts.load('23-replicaset')).rejects.toThrow('no file of it');
    expect(() => parts.own('replicaSetController', 4)).toThrow('version 4 of 23-replicaset');
  });
});
