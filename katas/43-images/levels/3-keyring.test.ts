import { describe, expect, test } from 'vitest';
import type { core } from '#harness';
import { keyMatches, lookup, pullCredentials, registryKey } from '#kata/43-images/images';
import { entry, secretOf } from './images.fixture.ts';

describe('Level 3 · Credentials for an image', () => {
  test.each([
    ['quay.io', 'quay.io'],
    ['https://quay.io', 'quay.io'],
    ['http://quay.io/', 'quay.io'],
    ['https://index.docker.io/v1/', 'index.docker.io'],
    ['quay.io/v2/', 'quay.io'],
    ['https://quay.io/v2/team', 'quay.io/team'],
    ['quay.io/team/app', 'quay.io/team/app'],
    ['registry:5000', 'registry:5000'],
    ['quay.io/v10/team', 'quay.io/v10/team'],
    ['quay.io/team/v1/app', 'quay.io/team/v1/app'],
  ])('the key of %s is %s', (registry, key) => {
    expect(
      registryKey(registry),
      `the key of the entry ${registry}: without its scheme, and without /v1/ or /v2/ after the host`,
    ).toBe(key);
  });

  test.each([
    ['quay.io', 'quay.io/team/app', true],
    ['quay.io/team', 'quay.io/team/app', true],
    ['quay.io/te', 'quay.io/team/app', true],
    ['quay.io/team/app', 'quay.io/team', false],
    ['quay.io/other', 'quay.io/team/app', false],
    ['quay.io', 'registry.quay.io/app', false],
    ['registry.quay.io', 'quay.io/app', false],
    ['quay.io', 'quay.io:5000/app', false],
    ['quay.io:5000', 'quay.io/app', false],
    ['quay.io:5000', 'quay.io:5000/app', true],
    ['quay.io:5000', 'quay.io:5001/app', false],
    ['*.quay.io', 'eu.quay.io/app', true],
    ['*.quay.io', 'quay.io/app', false],
    ['*.quay.io', 'a.b.quay.io/app', false],
    ['eu-*.quay.io', 'eu-1.quay.io/app', true],
    ['eu-?.quay.io', 'eu-12.quay.io/app', false],
    ['*.io/team', 'quay.io/team/app', true],
    ['quay.io', 'quayxio/app', false],
    ['q+ay.io', 'qqay.io/app', false],
  ])('the key %s matches %s: %s', (key, repository, matches) => {
    expect(
      keyMatches(key, repository),
      `whether ${key} matches ${repository}: host and port must match part by part, * matches any characters of one part, ? matches one, and the path of the image must begin with that of the key`,
    ).toBe(matches);
  });

  /** Expects the users of the matching entries; a failure shows the entries and the repository. */
  const expectUsers = (entries: Parameters<typeof lookup>[0], repository: string) =>
    expect(
      lookup(entries, repository).map(({ username }) => username),
      `users for ${repository}, the greatest key first; entries ${JSON.stringify(entries)}`,
    );

  test('returns the more specific key first', () => {
    const entries = [
      entry('quay.io', 'any'),
      entry('https://quay.io/v1/team', 'team'),
      entry('*.io', 'glob'),
    ];
    expectUsers(entries, 'quay.io/team/app').toEqual(['team', 'any', 'glob']);
    expectUsers(entries, 'quay.io/other/app').toEqual(['any', 'glob']);
    expectUsers(entries, 'registry.k8s.dev/pause').toEqual([]);
  });

  test('returns all credentials of one key, in their order', () => {
    const entries = [entry('quay.io', 'new'), entry('https://quay.io/', 'old')];
    expectUsers(entries, 'quay.io/app').toEqual(['new', 'old']);
  });

  test('uses the key of docker login for docker.io if no other key matches', () => {
    const login = entry('https://index.docker.io/v1/', 'me');
    expectUsers([login], 'docker.io/library/nginx').toEqual(['me']);
    expectUsers([login], 'quay.io/team/app').toEqual([]);
    const both = [login, entry('docker.io/team', 'team')];
    expectUsers(both, 'docker.io/team/app').toEqual(['team']);
    expectUsers(both, 'docker.io/library/nginx').toEqual(['me']);
  });

  test("returns the credentials of the pod's secrets before those of the node", () => {
    const first = secretOf('first', { 'quay.io': 'one' });
    const second = secretOf('second', { 'quay.io/team': 'two' });
    const node = [entry('quay.io/team/app', 'node')];
    const found = pullCredentials('quay.io/team/app', { pullSecrets: [first, second], node });
    expect(
      found.map(({ username }) => username),
      'the users: secrets of the pod with the greatest key first, then the node',
    ).toEqual(['two', 'one', 'node']);
    expect(
      found.map(({ secret }) => secret?.metadata?.name),
      'the secret of each',
    ).toEqual(['second', 'first', undefined]);
    expect(
      found.map(({ password }) => password),
      'the passwords, in the same order',
    ).toEqual(['secret of two', 'secret of one', 'secret of node']);
  });

  test('ignores a secret of another type', () => {
    const opaque = { ...secretOf('opaque', { 'quay.io': 'one' }), type: 'Opaque' };
    const found = pullCredentials('quay.io/app', { pullSecrets: [opaque], node: [entry('quay.io', 'node')] });
    expect(
      found.map(({ username }) => username),
      'the users: a secret of type Opaque contains no credentials',
    ).toEqual(['node']);
  });

  test('throws if one secret cannot be read, although another one is valid', () => {
    const good = secretOf('good', { 'quay.io': 'one' });
    const broken = { ...good, data: { '.dockerconfigjson': btoa('{') } };
    const found = (...pullSecrets: core.Secret[]) =>
      pullCredentials('quay.io/app', { pullSecrets, node: [] });
    expect(found(good), 'the credentials of the valid secret alone').toHaveLength(1);
    expect(
      () => found(broken, good),
      'the content of one secret is not JSON: pullCredentials must throw',
    ).toThrow(Error);
  });
});
