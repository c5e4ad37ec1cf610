import { describe, expect, test } from 'vitest';
import { applyDefaultTag, parseImageName } from '#kata/43-images/images';
import { DIGEST } from './images.fixture.ts';

describe('Level 1 · A reference', () => {
  test.each([
    ['nginx', 'docker.io/library/nginx', 'latest'],
    ['nginx:1.27', 'docker.io/library/nginx', '1.27'],
    ['team/app:1', 'docker.io/team/app', '1'],
    ['docker.io/nginx:1.27', 'docker.io/library/nginx', '1.27'],
    ['index.docker.io/library/nginx', 'docker.io/library/nginx', 'latest'],
    ['quay.io/team/app', 'quay.io/team/app', 'latest'],
    ['quay.io/app:v1_2.3-x', 'quay.io/app', 'v1_2.3-x'],
    ['registry.example.com:5000/team/app', 'registry.example.com:5000/team/app', 'latest'],
    ['registry:5000/app:2', 'registry:5000/app', '2'],
    ['localhost/app', 'localhost/app', 'latest'],
    ['localhost:5000/app', 'localhost:5000/app', 'latest'],
    ['[fd00::1]:5000/app:1', '[fd00::1]:5000/app', '1'],
    ['Registry/app', 'Registry/app', 'latest'],
    ['a.b_c__d---e:1', 'docker.io/library/a.b_c__d---e', '1'],
  ])('reads %s as %s with the tag %s', (image, repository, tag) => {
    expect(parseImageName(image), `the parts of the image name ${image}`).toEqual({ repository, tag });
  });

  test('reads a digest, with or without a tag', () => {
    expect(parseImageName(`nginx@${DIGEST}`), 'a digest without a tag: no tag is added').toEqual({
      repository: 'docker.io/library/nginx',
      digest: DIGEST,
    });
    expect(parseImageName(`quay.io/team/app:1@${DIGEST}`), 'a tag and a digest: both are parts').toEqual({
      repository: 'quay.io/team/app',
      tag: '1',
      digest: DIGEST,
    });
  });

  test.each([
    '',
    'Nginx',
    'team/App',
    'nginx:',
    ':1',
    '/nginx',
    'nginx/',
    'team//app',
    'nginx:1:2',
    'nginx:-1',
    'nginx:.1',
    `nginx:${'1'.repeat(129)}`,
    'nginx@sha256:12',
    `nginx@${DIGEST}0`,
    `nginx@md5:${'0'.repeat(64)}`,
    'a..b',
    'a___b',
    '-a',
    'a b',
    'http://nginx',
    'a'.repeat(64),
  ])('rejects %j', (image) => {
    expect(() => parseImageName(image), `the invalid image name ${JSON.stringify(image)}`).toThrow(
      `couldn't parse image name ${JSON.stringify(image)}: invalid`,
    );
  });

  test.each([
    ['nginx', 'nginx:latest'],
    ['nginx:latest', 'nginx:latest'],
    ['nginx:1.27', 'nginx:1.27'],
    ['registry:5000/app', 'registry:5000/app:latest'],
    [`nginx@${DIGEST}`, `nginx@${DIGEST}`],
    [`nginx:1@${DIGEST}`, `nginx:1@${DIGEST}`],
  ])('applyDefaultTag turns %s into %s', (image, spec) => {
    expect(
      applyDefaultTag(image),
      `the name for the runtime of ${image}: :latest is added if tag and digest are both missing`,
    ).toBe(spec);
  });

  test('applyDefaultTag rejects an invalid name', () => {
    expect(() => applyDefaultTag('Nginx'), 'the invalid image name "Nginx"').toThrow('invalid');
  });
});
