import { expect, test } from 'vitest';
import vectors from '../../conformance/access-messages.json' with { type: 'json' };
import { forbidden } from './forbidden.ts';

const EMPTY = {
  apiGroup: '',
  apiVersion: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  path: '',
};

test('There are nine messages', () => {
  expect(vectors.cases.filter(({ op }) => op === 'forbidden')).toHaveLength(9);
});

test.each(vectors.cases)("agrees with upstream's message: $name", ({ input, expect: wanted }) => {
  const { user, reason, ...asked } = input;
  const isResourceRequest = 'resource' in input;
  const { code, message, status } = forbidden(
    { ...EMPTY, ...asked, isResourceRequest, user: { name: user, groups: [] } },
    reason,
  );
  expect({ code, message }).toEqual({ code: 403, message: wanted.message });
  expect(status.details).toEqual(
    isResourceRequest
      ? {
          ...(input.name && { name: input.name }),
          ...(input.apiGroup && { group: input.apiGroup }),
          kind: input.resource,
        }
      : {},
  );
});
