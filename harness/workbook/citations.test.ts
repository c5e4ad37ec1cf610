import { describe, expect, test } from 'vitest';
import { unpinned } from './citations.ts';
import { listSources } from './sources.ts';

describe('Citations', () => {
  const sources = listSources('', '.ts', '.tsx', '.md').filter(
    ({ file }) => !file.endsWith('citations.test.ts'),
  );

  test('name a tag instead of a branch', () => {
    expect(sources.filter(({ text }) => text.includes('Upstream: ')).length).toBeGreaterThan(0);
    expect(sources.flatMap(unpinned)).toEqual([]);
  });

  const told = (text: string) => unpinned({ file: 'x.ts', text }).length;

  test.each([
    'Upstream: kubernetes/client-go@v0.30.0 tools/cache/store.go Store',
    'Upstream: kubernetes/client-go@v0.30.0 a.go\nUpstream: Store',
    'https://github.com/kubernetes/kubernetes/blob/v1.30.0/pkg/kubelet/kubelet.go',
    'https://github.com/kubernetes/kubernetes/issues/129795',
  ])('accept %s', (text) => expect(told(text)).toBe(0));

  test.each([
    'Upstream: kubernetes/client-go tools/cache/store.go',
    'Upstream: Store',
    'kubernetes/client-go@master tools/cache/store.go',
    'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet.go',
    'https://raw.githubusercontent.com/kubernetes/kubernetes/release-1.30/README.md',
  ])('reject %s', (text) => expect(told(text)).toBeGreaterThan(0));
});
