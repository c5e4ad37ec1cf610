import { expect, test } from 'vitest';
import { find } from './json-path.ts';

const object = {
  metadata: { annotations: { 'a.b/c': 'x' } },
  spec: { list: [1, 2, 3, 4], odd: null },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 2 },
      { type: 'Old', status: 'False', count: 5 },
    ],
  },
};

test.each<[string, unknown]>([
  ['.spec.list[0]', [1]],
  ['.spec.list[-1]', [4]],
  ['.spec.list[-1:]', [4]],
  ['.spec.list[1:3]', [2, 3]],
  ['.spec.list[::2]', [1, 3]],
  ['.spec.list[*]', [1, 2, 3, 4]],
  ['.spec.list[0,2]', [1, 3]],
  ['.spec.list[9]', undefined],
  ['.spec.list.x', []],
  ['.spec.odd', [null]],
  ['.spec[0]', undefined],
  ['.metadata.annotations.a\\.b/c', ['x']],
  [".metadata['annotations']", [{ 'a.b/c': 'x' }]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type == 'Ready')].status", ['True']],
  ['.status.conditions[?(@.count>3)].type', ['Old']],
  ['.status.conditions[?(@.count>=2)].type', ['Ready', 'Old']],
  ['.status.conditions[?(@.missing)].type', []],
  ['.status.conditions[?(@.type==5)].type', undefined],
  ['..count', [2, 5]],
  ['.constructor', []],
  ['.spec.list[', undefined],
  ['....', undefined],
])('%s finds %j', (path, expected) => {
  expect(find(path, object)).toEqual(expected);
});

test('a path that branches without end finds nothing', () => {
  const wide = Array.from({ length: 400 }, () => [1, 2, 3]);
  const deep = { a: Array.from({ length: 20 }, () => wide) };
  expect(find('..*..*..*..*', deep as never)).toBeUndefined();
});
