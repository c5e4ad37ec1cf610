import { describe, expect, test } from 'vitest';
import type { Rule } from './rule.ts';
import { Table } from './table.ts';

const rule = (text: string): Rule => ({ matches: [], target: undefined, text });

const textsIn = (table: Table, chain: string): readonly string[] | undefined =>
  table.chains.get(chain)?.rules.map(({ text }) => text);

function tableWith(chain: string, text: string): Table {
  const table = new Table('nat');
  table.add(chain);
  table.change(chain)?.rules.push(rule(text));
  return table;
}

describe('Table', () => {
  test('a copy shares the chains that neither table changes', () => {
    const table = tableWith('WEB', 'first');
    expect(table.copy().chains.get('WEB')).toBe(table.chains.get('WEB'));
  });

  test('a change of a copy leaves the original as it was', () => {
    const table = tableWith('WEB', 'first');
    const copy = table.copy();
    copy.change('WEB')?.rules.push(rule('second'));
    copy.delete('INPUT');
    expect(textsIn(table, 'WEB')).toEqual(['first']);
    expect(textsIn(copy, 'WEB')).toEqual(['first', 'second']);
    expect([table.chains.has('INPUT'), copy.chains.has('INPUT')]).toEqual([true, false]);
  });

  test('a change of the original leaves its copies as they were', () => {
    const table = tableWith('WEB', 'first');
    const copy = table.copy();
    table.change('WEB')?.rules.push(rule('second'));
    expect(textsIn(copy, 'WEB')).toEqual(['first']);
  });

  test('the revision grows with each change, also in a copy', () => {
    const table = tableWith('WEB', 'first');
    const copy = table.copy();
    expect(copy.revision).toBe(table.revision);
    copy.change('WEB');
    expect(copy.revision).toBeGreaterThan(table.revision);
  });
});
