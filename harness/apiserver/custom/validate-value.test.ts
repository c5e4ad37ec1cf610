import { describe, expect, test } from 'vitest';
import type { Json } from '../patch/json-value.ts';
import { find } from './json-path.ts';
import { prune, type StructuralSchema, withDefaults } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

const causes = (schema: StructuralSchema, value: Json) =>
  validateValue(schema, value, 'spec').map(({ message }) => message);

describe('A value', () => {
  test.each([
    [0.1, 0.3, true],
    [0.1, 0.35, false],
    [5, 15, true],
    [5, 16, false],
  ])('of steps of %d: %d is one: %s', (multipleOf, value, holds) => {
    expect(causes({ type: 'number', multipleOf }, value).length === 0).toBe(holds);
  });

  test('has a field of its own only if it says so, whatever the field is called', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(causes({ type: 'object', required: [name] }, {}), name).toEqual(['Required value']);
      expect(find(`.${name}`, {}), name).toEqual([]);
      expect(causes({ type: 'string', format: name }, 'a'), name).toEqual([]);
    }
    const schema = { type: 'object', properties: { constructor: { type: 'string', default: 'a' } } } as never;
    expect(withDefaults(schema, {})).toEqual({ constructor: 'a' });
    const odd = JSON.parse('{"__proto__": 1}');
    const { value } = prune({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, odd, false);
    expect(JSON.stringify(value)).toBe('{"__proto__":1}');
  });
});
