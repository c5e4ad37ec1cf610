import { expect, test } from 'vitest';
import { resources } from '../../api/resource.ts';
import { kinds } from './index.ts';

test('there is one kind for each resource, in the same order', () => {
  expect(kinds.map(({ resource }) => resource)).toEqual(resources);
  expect(kinds).toHaveLength(56);
});

test('a kind has a status to update exactly if its resource has that subresource', () => {
  for (const { resource, prepareForStatusUpdate, validateStatusUpdate, scale } of kinds) {
    const { plural, subresources } = resource;
    const has = [prepareForStatusUpdate, validateStatusUpdate, scale].map((part) => part !== undefined);
    const status = subresources.includes('status');
    expect([plural, ...has]).toEqual([plural, status, status, subresources.includes('scale')]);
  }
});

test.each(['approval', 'ephemeralcontainers'] as const)(
  'a kind has the part %s to update exactly if its resource has that subresource',
  (part) => {
    const having = kinds.filter(({ parts }) => parts?.[part]).map(({ resource }) => resource.plural);
    expect(having).toEqual(
      resources.filter(({ subresources }) => subresources.includes(part)).map(({ plural }) => plural),
    );
    expect(having).toHaveLength(1);
  },
);
