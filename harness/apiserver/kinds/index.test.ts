import { expect, test } from 'vitest';
import { resources } from '../../api/resource.ts';
import { kinds } from './index.ts';

test('there is one kind for each resource, in the same order', () => {
  expect(kinds.map(({ resource }) => resource)).toEqual(resources);
  expect(kinds).toHaveLength(51);
});

test('a kind has a status to update exactly if its resource has that subresource', () => {
  for (const { resource, prepareForStatusUpdate, validateStatusUpdate, scale } of kinds) {
    const { plural, subresources } = resource;
    const has = [prepareForStatusUpdate, validateStatusUpdate, scale].map((part) => part !== undefined);
    const status = subresources.includes('status');
    expect([plural, ...has]).toEqual([plural, status, status, subresources.includes('scale')]);
  }
});
