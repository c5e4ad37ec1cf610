import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { yamlTokens } from './yaml-tokens.ts';

/** Writes the tokens of one line, each with the first letter of its kind. */
const said = (line: string): string =>
  (yamlTokens(line)[0] ?? []).map(({ kind, text }) => `${kind}:${text}`).join('|');

describe('The tokens of YAML', () => {
  it.each([
    ['kind: Pod', 'key:kind|mark::|plain: |string:Pod'],
    ['  replicas: 3', 'plain:  |key:replicas|mark::|plain: |literal:3'],
    ['- name: web', 'mark:- |key:name|mark::|plain: |string:web'],
    ['    - - a', 'plain:    |mark:- - |string:a'],
    ['app.kubernetes.io/name: web', 'key:app.kubernetes.io/name|mark::|plain: |string:web'],
    ['"a: b": true', 'key:"a: b"|mark::|plain: |literal:true'],
    ['image: nginx:1.25', 'key:image|mark::|plain: |string:nginx:1.25'],
    ['resources: {}', 'key:resources|mark::|plain: |mark:{}'],
    ['metadata:', 'key:metadata|mark::'],
    ['# a comment', 'comment:# a comment'],
    ['', ''],
  ])('of %j are %j', (line, tokens) => {
    expect(said(line)).toBe(tokens);
  });

  it('of a block scalar are text, up to the next field', () => {
    const kinds = yamlTokens('data:\n  a: |-\n    b: 1\n\n    c: 2\n  d: 3').map((line) => line.at(-1)?.kind);
    expect(kinds).toEqual(['mark', 'mark', 'string', 'string', 'string', 'literal']);
  });

  it('are the whole text', () => {
    const yaml = stringify({
      metadata: { name: 'web', annotations: { 'a/b': '{"x": 1}', text: 'one\n  two\n', empty: '' } },
      spec: {
        list: [{ name: 'a', args: ['--v=2', '- dash', '# no comment'] }, []],
        when: '2024-04-17T00:00:30Z',
      },
    });
    const lines = yamlTokens(yaml).map((line) => line.map(({ text }) => text).join(''));
    expect(lines.join('\n')).toBe(yaml);
  });
});
