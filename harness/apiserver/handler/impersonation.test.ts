import { describe, expect, test } from 'vitest';
import { impersonationOf } from './impersonation.ts';

const read = (...pairs: [string, string][]) => impersonationOf(new Headers(pairs));

describe('The headers of impersonation', () => {
  test('are absent in most requests', () => {
    expect(read(['accept', '*/*'])).toBeUndefined();
    expect(read(['Impersonate-User', ''])).toBeUndefined();
  });

  test('name a user, its groups and more', () => {
    const asked = read(
      ['Impersonate-User', 'jane'],
      ['Impersonate-Uid', '7'],
      ['Impersonate-Group', 'dev'],
      ['Impersonate-Group', 'a,b'],
      ['Impersonate-Extra-Acme.com%2FProject', 'x'],
      ['Impersonate-Extra-scopes', 'view'],
      ['Impersonate-Extra-scopes', 'edit'],
    );
    expect(asked).toEqual({
      user: 'jane',
      uid: '7',
      groups: ['dev', 'a,b'],
      extra: { 'acme.com/project': ['x'], scopes: ['view', 'edit'] },
    });
  });

  test('can lack the user, which access control refuses', () => {
    expect(read(['Impersonate-Group', 'dev'])).toEqual({ user: '', groups: ['dev'], extra: {} });
    expect(read(['Impersonate-Extra-%zz', 'x'])).toEqual({ user: '', groups: [], extra: { '%zz': ['x'] } });
  });

  test('hold text in UTF-8', () => {
    const bytes = Buffer.from('jürgen').toString('latin1');
    expect(read(['Impersonate-User', bytes])?.user).toBe('jürgen');
  });
});
