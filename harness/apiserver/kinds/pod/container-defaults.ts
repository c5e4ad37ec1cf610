import type * as core from '#api/core/v1';
import { mapItems, withChanged, withDefaults } from '../../copy-on-write.ts';
import { withZeroDefaults } from '../zero-values.ts';
import { setFieldRefDefaults } from './field-ref-defaults.ts';
import { canonicalResourceList } from './quantities.ts';

/**
 * Defaults of a container, be it regular, init or ephemeral.
 *
 * What a client may leave out of a container.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/v1/defaults.go SetDefaults_Container and its siblings
 */
export function setContainerDefaults<T extends core.Container | core.EphemeralContainer>(container: T): T;
export function setContainerDefaults(container: core.Container): core.Container {
  let result = withZeroDefaults(container, {
    imagePullPolicy: hasLatestTag(container.image ?? '') ? 'Always' : 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  result = withChanged(result, 'ports', (ports) =>
    mapItems(ports, (port) => withZeroDefaults(port, { protocol: 'TCP' })),
  );
  result = withChanged(result, 'env', (env) =>
    mapItems(env, (variable) =>
      withChanged(variable, 'valueFrom', (source) => withChanged(source, 'fieldRef', setFieldRefDefaults)),
    ),
  );
  result = withChanged(result, 'resources', (resources) => {
    const limited = withChanged(resources, 'limits', canonicalResourceList);
    return withChanged(limited, 'requests', canonicalResourceList);
  });
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    result = withChanged(result, field, setProbeDefaults);
  }
  return withChanged(result, 'lifecycle', (lifecycle) => {
    const started = withChanged(lifecycle, 'postStart', setHandlerDefaults);
    return withChanged(started, 'preStop', setHandlerDefaults);
  });
}

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/v1/defaults.go SetDefaults_Probe */
function setProbeDefaults(probe: core.Probe): core.Probe {
  const timed = withZeroDefaults(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  return withChanged(setHandlerDefaults(timed), 'grpc', (grpc) => withDefaults(grpc, { service: '' }));
}

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/v1/defaults.go SetDefaults_HTTPGetAction */
function setHandlerDefaults<T extends { httpGet?: core.HTTPGetAction }>(handler: T): T {
  return withChanged(handler, 'httpGet', (action) =>
    withZeroDefaults<core.HTTPGetAction>(action, { path: '/', scheme: 'HTTP' }),
  );
}

/**
 * Will this reference pull whatever is newest? So it does with the tag `latest`, and with neither tag nor
 * digest. A colon before the last slash is a registry's port.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/util/parsers/parsers.go ParseImageName
 */
function hasLatestTag(image: string): boolean {
  const [reference = '', digest] = image.split('@', 2);
  const tag = /:([^/:]+)$/.exec(reference)?.[1];
  return tag === 'latest' || (tag === undefined && digest === undefined);
}
