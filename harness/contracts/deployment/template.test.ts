import { describe, expect, test } from 'vitest';
import { aDeployment, templateOf } from '../../laws/24-deployment/index.ts';
import { type VectorCase, vectors } from '../../testing/index.ts';
import type { PodTemplateSpec } from './facts.ts';
import {
  equalIgnoreHash,
  generateReplicaSetName,
  POD_TEMPLATE_HASH,
  templateWithoutHash,
} from './template.ts';

const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('deployment-rolling', op, count));

describe('templates', () => {
  const template = templateOf('nginx:1', { app: 'web' });

  interface PairOfTemplates {
    readonly a: PodTemplateSpec;
    readonly b: PodTemplateSpec;
  }
  test.each(table<PairOfTemplates, { equal: boolean }>('equalIgnoreHash', 6))(
    'compares templates like Kubernetes: %s',
    (_, { input: { a, b }, expect: { equal } }) => {
      expect(equalIgnoreHash(a, b)).toBe(equal);
      expect(equalIgnoreHash(b, a)).toBe(equal);
    },
  );

  test('treats two spellings of a quantity as equal, and an empty value as absent', () => {
    const asking = (cpu: string) => ({
      ...template,
      spec: { containers: [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu } } }] },
    });
    expect(equalIgnoreHash(asking('1'), asking('1000m'))).toBe(true);
    expect(equalIgnoreHash(asking('1'), asking('2'))).toBe(false);
    const annotated = { ...template, metadata: { ...template.metadata, annotations: {} } };
    expect(equalIgnoreHash(annotated, template)).toBe(true);
  });

  test('removes only the hash from a template', () => {
    const hashed = templateOf('nginx:1', { app: 'web', [POD_TEMPLATE_HASH]: '5d4' });
    expect(templateWithoutHash(hashed)).toEqual(template);
    expect(templateWithoutHash(template)).toBe(template);
  });

  test('truncates the name of a Deployment that is too long to append the hash', () => {
    expect(generateReplicaSetName(aDeployment(), '5d4')).toBe('web-5d4');
    const long = aDeployment({ name: 'w'.repeat(253) });
    expect(generateReplicaSetName(long, '5d4')).toBe(`${'w'.repeat(249)}-5d4`);
  });
});
