import { describe, expect, test } from 'vitest';
import { optionsAt } from './manifest-completion.ts';

const deployment = 'apiVersion: apps/v1\nkind: Deployment\n';
const pod = 'apiVersion: v1\nkind: Pod\n';

/** Returns the options at the place of `|`. */
function at(text: string) {
  const position = text.indexOf('|');
  return optionsAt(text.slice(0, position) + text.slice(position + 1), position);
}
const labels = (text: string): readonly string[] => at(text).options.map(({ label }) => label);
const option = (text: string, label: string) => at(text).options.find((one) => one.label === label);

describe('An empty document', () => {
  test('begins with a kind', () => {
    expect(labels('|').slice(0, 4)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(option('|', 'Deployment')?.insert).toBe(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ',
    );
  });

  test('offers the values of apiVersion and kind', () => {
    expect(labels('apiVersion: |')).toContain('apps/v1');
    expect(labels('apiVersion: apps/v1\nkind: De|')).toContain('Deployment');
  });
});

describe('An object', () => {
  test('offers the fields that it does not have yet, without its status', () => {
    expect(labels(`${deployment}metadata:\n  name: web\n|`)).toEqual(['spec']);
  });

  test('offers required fields first', () => {
    expect(labels(`${deployment}spec:\n  |`).slice(0, 2)).toEqual(['selector', 'template']);
  });

  test('replaces the word before the cursor', () => {
    const text = `${deployment}spec:\n  rep|`;
    expect(at(text).from).toBe(text.indexOf('rep'));
    expect(option(text, 'replicas')).toMatchObject({ detail: 'integer', insert: 'replicas: ' });
  });

  test('leaves out metadata that only the server writes, and fields whose feature is off', () => {
    const metadata = labels(`${pod}metadata:\n  |`);
    expect(metadata).toContain('labels');
    expect(metadata).not.toContain('uid');
    const lifecycle = labels(`${pod}spec:\n  containers:\n    - lifecycle:\n        |`);
    expect(lifecycle).toEqual(['postStart', 'preStop']);
  });

  test('has items with different fields', () => {
    const text = `${pod}spec:\n  containers:\n    - name: a\n      image: b\n    - name: c\n      |`;
    expect(labels(text)).toContain('image');
    expect(labels(text)).not.toContain('name');
    expect(labels(`${pod}spec:\n  containers:\n    - |`)).toContain('name');
  });

  test('indents nested objects and lists', () => {
    const text = `${pod}spec:\n  containers:\n    - name: a\n      |`;
    expect(option(text, 'resources')?.insert).toBe('resources:\n        ');
    expect(option(text, 'ports')?.insert).toBe('ports:\n        - ');
    expect(option(text, 'command')?.insert).toBe('command:\n        - ');
    expect(option(`${pod}spec:\n  containers:\n    |`, 'name')?.insert).toBe('- name: ');
  });

  test('is the object of the document around the cursor', () => {
    expect(labels(`${deployment}---\napiVersion: v1\nkind: Service\nspec:\n  |`)).toContain('clusterIP');
  });

  test('has a type, a description, and facts', () => {
    expect(option(`${pod}spec:\n  |`, 'containers')).toMatchObject({
      detail: 'list of Container',
      info: 'The containers of the pod. They start together, and share its network. (required · merged by name)',
    });
  });
});

describe('A value', () => {
  test('is one of an enumeration', () => {
    expect(labels(`${pod}spec:\n  restartPolicy: |`)).toEqual(['Always', 'Never', 'OnFailure']);
  });

  test('may be true or false', () => {
    expect(labels(`${pod}spec:\n  hostNetwork: t|`)).toEqual(['true', 'false']);
  });

  test.each([
    `${pod}spec:\n  nodeName: |`,
    `${pod}metadata:\n  labels:\n    |`,
    `${pod}sepc:\n  |`,
    'apiVersion: v1\nkind: Pdo\nspec:\n  |',
    `${pod}spec:\n  containers:\n    - name: a b|`,
  ])('or a field is unknown here: %j', (text) => {
    expect(labels(text)).toEqual([]);
  });
});
