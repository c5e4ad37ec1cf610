import type * as core from '#api/core/v1';
import { mapItems, withChanged, withDefaults } from '../../copy-on-write.ts';
import { setFieldRefDefaults } from './field-ref-defaults.ts';
import { canonicalResourceList } from './quantities.ts';

/**
 * Sets the defaults of a regular, init or ephemeral container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Container and its siblings
 */
export function setContainerDefaults<T extends core.Container | core.EphemeralContainer>(container: T): T;
export function setContainerDefaults(container: core.Container): core.Container {
  let result = withDefaults(container, {
    imagePullPolicy: pullPolicyOf(container.image),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  result = withChanged(result, 'ports', (ports) =>
    mapItems(ports, (port) => withDefaults(port, { protocol: 'TCP' })),
  );
  result = withChanged(result, 'env', (env) =>
    mapItems(env, (variable) => withChanged(variable, 'valueFrom', setEnvVarSourceDefaults)),
  );
  result = withChanged(result, 'resources', canonicalResources);
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    result = withChanged(result, field, setProbeDefaults);
  }
  return withChanged(result, 'lifecycle', (lifecycle) => {
    const started = withChanged(lifecycle, 'postStart', setHandlerDefaults);
    return withChanged(started, 'preStop', setHandlerDefaults);
  });
}

/** Converts every amount to its canonical form. */
export function canonicalResources(resources: core.ResourceRequirements): core.ResourceRequirements {
  const limited = withChanged(resources, 'limits', canonicalResourceList);
  return withChanged(limited, 'requests', canonicalResourceList);
}

function setEnvVarSourceDefaults(source: core.EnvVarSource): core.EnvVarSource {
  const result = withChanged(source, 'fieldRef', setFieldRefDefaults);
  return withChanged(result, 'fileKeyRef', (file) => withDefaults(file, { optional: false }));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Probe */
function setProbeDefaults(probe: core.Probe): core.Probe {
  const timed = withDefaults(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  return withChanged(setHandlerDefaults(timed), 'grpc', (grpc) => withDefaults(grpc, { service: '' }));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_HTTPGetAction */
function setHandlerDefaults<T extends { httpGet?: core.HTTPGetAction }>(handler: T): T {
  return withChanged(handler, 'httpGet', (action) =>
    withDefaults<core.HTTPGetAction>(action, { path: '/', scheme: 'HTTP' }),
  );
}

/**
 * Returns `Always` for an image reference that can change, else `IfNotPresent`. A reference can change with the tag
 * `latest`, or with neither tag nor digest. A colon before the last slash belongs to the registry's port.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Container, SetDefaults_Volume;
 * pkg/util/parsers/parsers.go ParseImageName
 */
export function pullPolicyOf(image = ''): 'Always' | 'IfNotPresent' {
  const [reference = '', digest] = image.split('@', 2);
  const tag = /:([^/:]+)$/.exec(reference)?.[1];
  const isNewest = tag === 'latest' || (tag === undefined && digest === undefined && image !== '');
  return isNewest ? 'Always' : 'IfNotPresent';
}
