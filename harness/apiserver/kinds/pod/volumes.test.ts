import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { container, lines, podSpec } from './pod.fixture.ts';
import { validatePodSpec } from './spec.ts';

const check = (volumes: core.Volume[], volumeMounts: core.VolumeMount[] = []) =>
  lines(validatePodSpec(podSpec({ volumes, containers: [container({ volumeMounts })] }), 'spec'));
const checkOne = (source: Partial<core.Volume>) => check([{ name: 'v', ...source }]);

const at = 'spec.volumes[0]';

describe('volumes', () => {
  test('have distinct names', () => {
    expect(check([{ name: 'v' }, { name: 'v' }])).toEqual(['spec.volumes[1].name: Duplicate value: "v"']);
    expect(check([{ name: '' }])).toEqual([`${at}.name: Required value`]);
  });

  test('have exactly one source', () => {
    expect(checkOne({ emptyDir: {}, configMap: { name: 'c' } })).toEqual([
      `${at}.configMap: Forbidden: may not specify more than 1 volume type`,
    ]);
  });

  test('require the name of their source object', () => {
    expect(checkOne({ configMap: {} })).toEqual([`${at}.configMap.name: Required value`]);
    expect(checkOne({ secret: {} })).toEqual([`${at}.secret.secretName: Required value`]);
    expect(checkOne({ persistentVolumeClaim: { claimName: '' } })).toEqual([
      `${at}.persistentVolumeClaim.claimName: Required value`,
    ]);
    expect(checkOne({ persistentVolumeClaim: { claimName: 'data' } })).toEqual([]);
  });

  test('keep files within the volume, with valid modes', () => {
    const items = [{ key: 'k', path: '../k', mode: 0o1000 }];
    expect(checkOne({ configMap: { name: 'c', items } })).toEqual([
      `${at}.configMap.items[0].path: Invalid value: "../k": must not contain '..'`,
      `${at}.configMap.items[0].mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`,
    ]);
    expect(checkOne({ configMap: { name: 'c', items: [{ key: 'k', path: '..data' }] } })).toEqual([
      `${at}.configMap.items[0].path: Invalid value: "..data": must not start with '..'`,
    ]);
  });

  test('accept only known hostPath types', () => {
    expect(checkOne({ hostPath: { path: '/a/../b', type: 'Disk' } })).toEqual([
      `${at}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
      `${at}.hostPath.type: Unsupported value: "Disk": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
    ]);
  });

  test('have an image reference, which a template can omit', () => {
    const volumes = [{ name: 'data', image: { pullPolicy: 'Maybe' } }];
    const refused =
      'spec.volumes[0].image.pullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"';
    expect(lines(validatePodSpec(podSpec({ volumes }), 'spec'))).toEqual([refused]);
    expect(lines(validatePodSpec(podSpec({ volumes }), 'spec', { inPod: true }))).toEqual([
      'spec.volumes[0].image.reference: Required value',
      refused,
    ]);
  });

  test('reject a negative size limit', () => {
    expect(checkOne({ emptyDir: { sizeLimit: '-1' } })).toEqual([
      `${at}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`,
    ]);
  });

  test('expose pod fields as files', () => {
    const file = { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } };
    expect(checkOne({ downwardAPI: { items: [file] } })).toEqual([]);
    expect(checkOne({ downwardAPI: { items: [{ path: 'p' }] } })).toEqual([
      `${at}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
    ]);
    const resourceFieldRef = { resource: 'limits.cpu' };
    expect(checkOne({ downwardAPI: { items: [{ path: 'p', resourceFieldRef }] } })).toEqual([
      `${at}.downwardAPI.resourceFieldRef.containerName: Required value`,
    ]);
  });

  test('project several sources into distinct files', () => {
    const items = [{ key: 'k', path: 'f' }];
    const sources = [{ configMap: { name: 'a', items } }, { secret: { name: 'b', items } }];
    expect(checkOne({ projected: { sources } })).toEqual([
      `${at}.projected: Invalid value: "b": conflicting duplicate paths`,
    ]);
    expect(
      checkOne({ projected: { sources: [{ configMap: { name: 'a' }, secret: { name: 'b' } }] } }),
    ).toEqual([`${at}.projected.sources[0]: Forbidden: may not specify more than 1 volume type per source`]);
  });

  test('project tokens that are valid for at least ten minutes', () => {
    const sources = [{ serviceAccountToken: { path: 't', expirationSeconds: 599 } }];
    expect(checkOne({ projected: { sources } })).toEqual([
      `${at}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
    ]);
  });
});

describe('volume mounts', () => {
  const mounts = 'spec.containers[0].volumeMounts';

  test('refer to existing, valid volumes', () => {
    const volumeMounts = [
      { name: 'v', mountPath: '/v' },
      { name: 'w', mountPath: '/w' },
      { name: 'x', mountPath: '/x' },
    ];
    expect(check([{ name: 'v' }, { name: 'w', configMap: {} }], volumeMounts)).toEqual([
      'spec.volumes[1].configMap.name: Required value',
      `${mounts}[1].name: Not found: "w"`,
      `${mounts}[2].name: Not found: "x"`,
    ]);
  });

  test('have distinct mount paths', () => {
    const volumeMounts = [
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '' },
    ];
    expect(check([{ name: 'v' }], volumeMounts)).toEqual([
      `${mounts}[1].mountPath: Invalid value: "/v": must be unique`,
      `${mounts}[2].mountPath: Required value`,
    ]);
  });

  test('stay within the volume', () => {
    expect(check([{ name: 'v' }], [{ name: 'v', mountPath: '/v', subPath: '/abs' }])).toEqual([
      `${mounts}.subPath: Invalid value: "/abs": must be a relative path`,
    ]);
    expect(check([{ name: 'v' }], [{ name: 'v', mountPath: '/v', subPath: 'a', subPathExpr: 'b' }])).toEqual([
      `${mounts}[0].subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive`,
    ]);
  });

  test('are recursively read-only only if they are read-only', () => {
    const mount = { name: 'data', mountPath: '/data', recursiveReadOnly: 'Enabled' };
    const check = (changes: object) => {
      const containers = [container({ volumeMounts: [{ ...mount, ...changes }] })];
      return lines(
        validatePodSpec(podSpec({ containers, volumes: [{ name: 'data', emptyDir: {} }] }), 'spec'),
      );
    };
    const path = 'spec.containers[0].volumeMounts.recursiveReadOnly';
    expect(check({ readOnly: true })).toEqual([]);
    expect(check({ mountPropagation: 'HostToContainer' })).toEqual([
      `${path}: Forbidden: may only be specified when readOnly is true`,
      `${path}: Forbidden: may only be specified when mountPropagation is None or not specified`,
    ]);
    expect(check({ recursiveReadOnly: 'Perhaps' })).toEqual([
      `${path}: Unsupported value: "Perhaps": supported values: "Disabled", "Enabled", "IfPossible"`,
    ]);
  });

  test('propagate to the host only from privileged containers', () => {
    expect(
      check([{ name: 'v' }], [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }]),
    ).toEqual([
      `${mounts}.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
    ]);
  });
});
