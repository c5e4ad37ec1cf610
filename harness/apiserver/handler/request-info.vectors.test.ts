import { describe, expect, test } from 'vitest';
import vectors from '../../conformance/request-info.json' with { type: 'json' };
import { type RequestInfo, requestInfo } from './request-info.ts';

type Case = {
  id: string;
  op: string;
  name: string;
  input: { method: string; url: string };
  expect: Partial<RequestInfo> & { labelSelector?: string };
};

describe('The intent of a request, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const of = (op: string) => cases.filter((row) => row.op === op);
  const read = ({ method, url }: Case['input']) => requestInfo(method, new URL(url, 'http://apiserver.test'));

  test('cover every operation', () => {
    expect(['requestInfo', 'isResourceRequest', 'selectors'].map((op) => of(op).length)).toEqual([
      36, 19, 12,
    ]);
    expect(cases).toHaveLength(67);
  });

  test.each([...of('requestInfo'), ...of('isResourceRequest')])(
    '$id $name',
    ({ input, expect: expected }) => {
      expect(read(input)).toMatchObject(expected);
    },
  );

  // The intent lacks the label selector: no authorizer here reads it.
  test.each(of('selectors'))('$id $name', ({ input, expect: { labelSelector: _, ...expected } }) => {
    expect(read(input)).toMatchObject(expected);
  });
});
