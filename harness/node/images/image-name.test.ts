import { describe, expect, test } from 'vitest';
import { formatImageName, parseImageName } from './image-name.ts';

const DIGEST = `sha256:${'a1'.repeat(32)}`;

describe('The name of an image', () => {
  test.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['bitnami/nginx', 'docker.io/bitnami/nginx:latest'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['index.docker.io/library/nginx', 'docker.io/library/nginx:latest'],
    ['registry.k8s.io/pause:3.10', 'registry.k8s.io/pause:3.10'],
    ['localhost/app', 'localhost/app:latest'],
    ['localhost:5000/app:1', 'localhost:5000/app:1'],
    ['Example/app', 'Example/app:latest'],
    [`nginx@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`],
    [`nginx:1.27@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`],
  ])('%s stands for %s', (name, full) => {
    expect(formatImageName(parseImageName(name))).toBe(full);
    expect(formatImageName(parseImageName(full))).toBe(full);
  });

  test.each([
    ['', 'invalid reference format'],
    ['nginx:', 'invalid reference format'],
    ['nginx:-1', 'invalid reference format'],
    ['a//b', 'invalid reference format'],
    [' nginx', 'invalid reference format'],
    ['nginx@sha256:1', 'invalid reference format'],
    ['Nginx', 'invalid reference format: repository name (library/Nginx) must be lowercase'],
    [
      'a'.repeat(64),
      `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`,
    ],
  ])('is rejected: %j', (name, why) => {
    expect(() => parseImageName(name)).toThrow(new Error(why));
  });
});
