import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDeclarations } from './declarations.ts';
import { definitions } from './definitions.ts';
import { definitionsFile, generate, readInstalled } from './generate.ts';

describe('definitions.json', () => {
  test('is what the declarations generate: run generate.ts after a change', () => {
    expect(generate(readInstalled)).toBe(readFileSync(definitionsFile, 'utf8'));
  });

  test('speaks of Go types', () => {
    expect(Object.keys(definitions.structs)).toHaveLength(179);
    expect(definitions.structs.DeploymentSpec).toEqual({
      minReadySeconds: 'int32',
      paused: 'bool',
      progressDeadlineSeconds: 'int32',
      replicas: 'int32',
      revisionHistoryLimit: 'int32',
      selector: 'v1.LabelSelector',
      strategy: 'v1.DeploymentStrategy',
      template: 'v1.PodTemplateSpec',
    });
    expect(definitions.structs.RollingUpdateDeployment).toEqual({
      maxSurge: 'intstr.IntOrString',
      maxUnavailable: 'intstr.IntOrString',
    });
    expect(definitions.named).toMatchObject({
      'v1.ResourceList': 'map[string]resource.Quantity',
      'v1.PodPhase': 'string',
      'types.UID': 'string',
    });
  });
});

describe('generate', () => {
  /** The installed modules, one of them changed. */
  const changed = (module: string, from: string, to: string) => (asked: string) => {
    const text = readInstalled(asked);
    if (asked !== module) return text;
    expect(text).toContain(from);
    return text.replace(from, to);
  };

  test('does not take over a field that the Go types know otherwise', () => {
    expect(() => generate(changed('core/v1', 'restartPolicy?: string;', 'restartPolicy?: boolean;'))).toThrow(
      /restartPolicy: v1\.\w+ cannot stand for bool/,
    );
    expect(() => generate(changed('core/v1', 'qosClass?: string;', ''))).toThrow('it has no field qosClass');
  });

  test('does not mix up types of the same name', () => {
    const read = changed(
      'apps/v1',
      'import { RawExtension }',
      'import { Event } from "../events/v1";import { RawExtension }',
    );
    const both = (module: string): string =>
      module === 'apps/v1'
        ? read(module).replace('strategy?: DeploymentStrategy;', 'strategy?: Event;')
        : read(module);
    expect(() => generate(both)).toThrow('names must be unique');
  });
});

describe('parseDeclarations', () => {
  test('reads interfaces, aliases and imports', () => {
    const text = `import { A, B } from "../a/v1";
      /** A doc: with { punctuation }; and 'quotes'. */
      export interface C { readonly kind?: "C"; "a-b": Array<A>; c?: { [name: string]: B; }; d: number | string; }
      export type D = string;`;
    const { declared, imported } = parseDeclarations('c.d.ts', text);
    expect([...imported]).toEqual([
      ['A', '../a/v1'],
      ['B', '../a/v1'],
    ]);
    expect(declared.get('D')).toEqual({ is: 'alias', name: 'D', type: { is: 'string' } });
    expect(declared.get('C')).toEqual({
      is: 'interface',
      name: 'C',
      fields: new Map<string, unknown>([
        ['kind', { is: 'string' }],
        ['a-b', { is: 'array', of: { is: 'reference', name: 'A' } }],
        ['c', { is: 'map', of: { is: 'reference', name: 'B' } }],
        ['d', { is: 'number | string' }],
      ]),
    });
  });

  test.each([
    ['interface A {}', 'expected export'],
    ['export interface A extends B {}', 'expected {'],
    ['export interface A { a: string[]; }', 'expected ;'],
    ['export interface A { a: string | null; }', 'expected ;'],
    ['export interface A { a: number | boolean; }', 'expected string'],
    ['export interface A { a(): void; }', 'unexpected "("'],
    ['export interface A { a; }', 'expected :'],
    ['export interface A { [key: string]: number; }', 'expected a name'],
    ['export interface A { a: string; a: string; }', 'declared twice'],
    ['export interface A { a: { b: string; }; }', 'expected ['],
    ['export const a = 1;', 'expected type'],
    ['export type A = () => void;', 'unexpected "("'],
    ['export interface A { a: string;', 'expected a name'],
  ])('refuses what it does not know: %s', (text, told) => {
    expect(() => parseDeclarations('a.d.ts', text)).toThrow(told);
  });
});
