import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reachedFrom } from '../workbook/reached.ts';
import { root } from '../workbook/sources.ts';
import { PAGE_ENTRY } from './built-page.fixture.ts';

const reached = reachedFrom(PAGE_ENTRY, 'browser');
const isFile = (name: string): boolean => /\.(tsx?|json|css)$/.test(name) && !name.startsWith('buffer/');

describe('The page', () => {
  test('contains the whole cluster', () => {
    const names = reached.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'harness/page/worker.ts',
        'harness/cluster/whole-cluster.ts',
        'solutions/41-kubelet/kubelet.ts',
        'harness/platform/browser/turn.ts',
      ]),
    );
  });

  test('imports only files that exist', () => {
    const missing = reached.filter(({ name }) => isFile(name) && !existsSync(path.join(root, name)));
    expect(missing).toEqual([]);
  });

  test('imports every entry point under a known name', () => {
    expect(reached.filter(({ name }) => name.startsWith('#'))).toEqual([]);
  });

  test('imports no module of Node', () => {
    expect(reached.filter(({ name }) => isBuiltin(name))).toEqual([]);
  });
});
