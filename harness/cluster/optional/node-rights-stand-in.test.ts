import { expect, test } from 'vitest';
import { resourceAttributes } from '../../apiserver/access/attributes.ts';
import type { Access, AccessContext } from '../../contracts/access/index.ts';
import { withNodeRightsStandIn } from './node-rights-stand-in.ts';

test('The stand-in for the rights of nodes gives nodes every right, and others none', () => {
  let reports = 0;
  const refusing = { authorize: () => ({ verdict: 'no opinion' }) } as unknown as Access;
  const access = withNodeRightsStandIn(
    () => refusing,
    () => reports++,
  )({} as AccessContext);
  const decide = (name: string): string =>
    access.authorize(
      resourceAttributes({ name, groups: ['system:nodes'] }, { verb: 'get', resource: 'pods' }),
    ).verdict;
  expect(decide('jane')).toBe('no opinion');
  expect(reports).toBe(0);
  expect(decide('system:node:node-1')).toBe('allow');
  expect(reports).toBe(1);
});
