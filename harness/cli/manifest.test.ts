import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ManifestObject, readManifest } from './manifest.ts';
import { failureOf } from './screen.fixture.ts';

const read = (...lines: readonly string[]): readonly ManifestObject[] =>
  readManifest(new TextEncoder().encode(lines.join('\n')), 'web.yaml');
const names = (objects: readonly ManifestObject[]): readonly string[] =>
  objects.map(({ resource, key }) => `${resource.kind} ${key.namespace ?? '-'}/${key.name}`);
const configMap = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`;

describe('A manifest', () => {
  test('can hold one object', () => {
    const [only, ...more] = read(
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: a}',
      'data: {x: "1"}',
    );
    expect(more).toEqual([]);
    expect(only?.key).toEqual({ namespace: 'default', name: 'a' });
    expect(only?.resource.plural).toBe('configmaps');
    expect(only?.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { x: '1' },
    });
  });

  test('can hold several documents; empty ones and comments are ignored', () => {
    const objects = read(
      '# first',
      '---',
      configMap('a'),
      '---',
      '# nothing',
      '---',
      configMap('b'),
      '---',
      '',
    );
    expect(names(objects)).toEqual(['ConfigMap default/a', 'ConfigMap default/b']);
  });

  test('can be a List, even nested, or a typed list whose items omit their kind', () => {
    const list = (kind: string, ...items: readonly string[]): string =>
      `{apiVersion: v1, kind: ${kind}, items: [${items.join(', ')}]}`;
    expect(names(read(list('List', configMap('a'), list('List', configMap('b')))))).toEqual([
      'ConfigMap default/a',
      'ConfigMap default/b',
    ]);
    expect(names(read(list('ConfigMapList', '{metadata: {name: a}}')))).toEqual(['ConfigMap default/a']);
  });

  test('can be JSON, indented with tabs', () => {
    const [only] = read(
      '{',
      '\t"apiVersion": "v1", "kind": "ConfigMap",',
      '\t"metadata": {"name": "a"},',
      '\t"data": {"x": "\\u00e9\\/"}',
      '}',
    );
    expect(only?.object.data).toEqual({ x: 'é/' });
  });

  test('can come from Windows', () => {
    const text = [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  name: a',
      'data:',
      '  x: |',
      '    1',
      '',
    ].join('\r\n');
    const bytes = {
      'with CRLF': Buffer.from(text),
      'with a byte order mark': Buffer.from(`\ufeff${text}`),
      'in UTF-16': Buffer.from(`\ufeff${text}`, 'utf16le'),
    };
    for (const [how, each] of Object.entries(bytes)) {
      const [only] = readManifest(each, 'web.yaml');
      expect(only?.key, how).toEqual({ namespace: 'default', name: 'a' });
      expect(only?.object.data, how).toEqual({ x: '1\n' });
    }
  });

  test('keeps an explicit namespace, and drops the namespace of a cluster-scoped object', () => {
    expect(names(read('{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}}'))).toEqual([
      'Pod shop/a',
    ]);
    const [node] = read('{apiVersion: v1, kind: Node, metadata: {name: a, namespace: shop}}');
    expect(node?.key).toEqual({ name: 'a' });
    expect(node?.object.metadata).toEqual({ name: 'a' });
  });

  test('is parsed as Kubernetes parses YAML', () => {
    const [only] = read(
      ...['apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: a}', 'base: &base {x: 1}'],
      ...['yes: [yes, off]', 'mode: 0644', 'port: 80:80', 'day: 2024-04-17', 'merged: {<<: *base, z: 2}'],
    );
    expect(only?.object).toMatchObject({
      true: [true, false],
      mode: 420,
      port: '80:80',
      day: '2024-04-17',
      merged: { x: 1, z: 2 },
    });
  });

  test('in docs/web.yaml is an nginx Deployment with three replicas and a Service', () => {
    const file = path.resolve(import.meta.dirname, '../../docs/web.yaml');
    const [only, service, ...more] = readManifest(readFileSync(file), file);
    expect(more).toEqual([]);
    expect([only?.resource.kind, service?.resource.kind]).toEqual(['Deployment', 'Service']);
    expect(only?.object.spec).toMatchObject({
      replicas: 3,
      template: { spec: { containers: [{ image: 'nginx:1.25' }] } },
    });
  });
});

describe('An invalid manifest', () => {
  const known =
    'v1 ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolumeClaim, PersistentVolume, Pod, PodTemplate, ' +
    'ReplicationController, ResourceQuota, Secret, ServiceAccount, and Service; apiregistration.k8s.io/v1 APIService; ' +
    'apps/v1 ControllerRevision, DaemonSet, Deployment, ReplicaSet, and StatefulSet; events.k8s.io/v1 Event; ' +
    'authentication.k8s.io/v1 SelfSubjectReview and TokenReview; authorization.k8s.io/v1 LocalSubjectAccessReview, ' +
    'SelfSubjectAccessReview, SelfSubjectRulesReview, and SubjectAccessReview; autoscaling/v2 HorizontalPodAutoscaler; autoscaling/v1 HorizontalPodAutoscaler; ' +
    'batch/v1 CronJob and Job; certificates.k8s.io/v1 CertificateSigningRequest; ' +
    'networking.k8s.io/v1 IngressClass, Ingress, IPAddress, NetworkPolicy, and ServiceCIDR; policy/v1 PodDisruptionBudget; ' +
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding, ClusterRole, RoleBinding, and Role; ' +
    'storage.k8s.io/v1 CSIDriver, CSINode, StorageClass, and VolumeAttachment; ' +
    'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ' +
    'ValidatingAdmissionPolicyBinding, and ValidatingWebhookConfiguration; ' +
    'apiextensions.k8s.io/v1 CustomResourceDefinition; scheduling.k8s.io/v1 PriorityClass; ' +
    'coordination.k8s.io/v1 Lease; node.k8s.io/v1 RuntimeClass; discovery.k8s.io/v1 EndpointSlice';
  const says = 'Every object needs both, for example apiVersion: apps/v1 and kind: Deployment.';
  const bare =
    'Put it in quotes: otherwise YAML reads digits as a number, and y, n, yes, no, on and off as true or false.';
  const mend =
    'Correct that line. The usual cause is the indentation (spaces, no tabs) or a string that needs quotes.';
  const none = 'it contains no object. Write one, or run npm start without a file to apply docs/web.yaml.';
  const cases: readonly (readonly [what: string, text: string, why: string])[] = [
    ['an empty file', '', none],
    ['comments only', '# a\n---\n# b\n', none],
    ['an empty list', '{apiVersion: v1, kind: List, items: []}', none],
    ['a tab', 'a:\n\tb: 1', `line 2, column 1: Tabs are not allowed as indentation. ${mend}`],
    ['a key twice', '# c\na: 1\na: 2', `line 3, column 1: Map keys must be unique. ${mend}`],
    [
      'an open quote in the second document',
      `${configMap('a')}\n---\na: "x\n`,
      `line 4, column 1: Missing closing "quote. ${mend}`,
    ],
    [
      'a template',
      'a: {{ .Values.a }}',
      `line 1, column 5: a key must be a string; if this is a template, render it first. ${mend}`,
    ],
    ['an unknown anchor', 'a:\n  b: *x', `line 2, column 6: the anchor &x does not exist. ${mend}`],
    ['an anchor that contains itself', 'a: &a [*a]', `line 1, column 1: an anchor contains itself. ${mend}`],
    [
      'a string',
      '\nhello',
      'the object at line 2 is the string "hello". An object begins with apiVersion: and kind:.',
    ],
    ['a list', '- a', 'the object at line 1 is a list. An object begins with apiVersion: and kind:.'],
    ['no kind', 'apiVersion: v1', `the object at line 1 has no kind. ${says}`],
    [
      'a kind that is not a string',
      '{apiVersion: v1, kind: 7}',
      `the object at line 1 has the number 7 as kind. ${says}`,
    ],
    [
      'an unknown kind',
      '{apiVersion: v1, kind: Gateway}',
      `the object at line 1 has an unknown kind: no matches for kind "Gateway" in version "v1". This apiserver serves ${known}.`,
    ],
    [
      'another version',
      '{apiVersion: apps/v1beta1, kind: Deployment}',
      'the object at line 1 has an unknown kind: no matches for kind "Deployment" in version "apps/v1beta1". Write apiVersion: apps/v1 and kind: Deployment.',
    ],
    [
      'a resource instead of a kind',
      '{apiVersion: v1, kind: po}',
      'the object at line 1 has an unknown kind: no matches for kind "po" in version "v1". Write apiVersion: v1 and kind: Pod.',
    ],
    [
      'no name',
      '{apiVersion: v1, kind: Pod}',
      'the object at line 1 has no metadata.name. Give the Pod a name.',
    ],
    [
      'a number as name',
      '{apiVersion: v1, kind: Pod, metadata: {name: 7}}',
      `the object at line 1 has the number 7 as metadata.name. ${bare}`,
    ],
    [
      'a generated name',
      '{apiVersion: v1, kind: Pod, metadata: {generateName: a-}}',
      'the object at line 1 has a generateName, so each apply would create another object. Give it a metadata.name.',
    ],
    [
      'a boolean as namespace',
      '{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: n}}',
      `the object at line 1 has the boolean false as metadata.namespace. ${bare}`,
    ],
    [
      'a bad item',
      `{apiVersion: v1, kind: List, items: [${configMap('a')}, {}]}`,
      `the object at line 1, item 2, has no apiVersion. ${says}`,
    ],
  ];

  test.each(cases)('is rejected in one sentence: %s', (_, text, why) => {
    expect(failureOf(() => read(text))).toBe(`Failed to read web.yaml: ${why}`);
  });

  test('is rejected if it is not a text', () => {
    const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff);
    expect(failureOf(() => readManifest(picture, 'web.png'))).toBe(
      'Failed to read web.png: it is not UTF-8 text. Name a manifest: YAML or JSON.',
    );
  });
});
