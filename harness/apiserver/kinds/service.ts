import type * as core from '#api/core/v1';
import { isDNS1123Label } from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import { services } from '../../api/resource.ts';
import { mapItems, withChanged, withDefaults, without } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { ServiceAllocators } from './service-allocators.ts';
import { validateServiceStatus } from './service-status.ts';
import { dropTypeDependentFields, isExternallyAccessible, needsNodePort } from './service-type.ts';
import { validateServiceSpec, validateServiceSpecUpdate } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';
import { withField } from './with-field.ts';

/**
 * The kind Service. {@link ServiceAllocators} sets addresses and node ports first.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/strategy.go, pkg/apis/core/v1/defaults.go
 * SetDefaults_Service
 */
export const service = declareKind<Service>({
  resource: services,
  validateName: isDNS1123Label,
  selectable: {
    'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
    'spec.type': ({ spec }) => spec.type ?? '',
  },
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  newAllocator: () => new ServiceAllocators(),

  setDefaults(object) {
    const specified = withChanged(object, 'spec', setSpecDefaults);
    return specified.spec.type === 'LoadBalancer'
      ? withChanged(specified, 'status', setStatusDefaults)
      : specified;
  },
  newStatus: () => EMPTY_STATUS,
  prepareForUpdate: (object, old) =>
    withField(object, 'spec', dropTypeDependentFields(object.spec, old.spec)),
  // Removing a load balancer takes a while, but its address is removed immediately.
  updatedStatus: ({ spec }, { status }) =>
    spec.type === 'LoadBalancer' ? status : withField(status, 'loadBalancer', EMPTY),
  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: serviceWarnings,

  createRules: [(object) => validateServiceSpec(object)],
  updateRules: (object, old) => [
    ...validateServiceSpecUpdate(object, old),
    ...validateServiceSpec(object, old.spec),
  ],
  statusUpdateRules: ({ status, spec }, old) => validateServiceStatus(status, old.status, spec),
});

const EMPTY: core.LoadBalancerStatus = Object.freeze({});
const EMPTY_STATUS: core.ServiceStatus = Object.freeze({ loadBalancer: EMPTY });

function setSpecDefaults(original: core.ServiceSpec): core.ServiceSpec {
  let spec = withDefaults(original, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'None') spec = without(spec, 'sessionAffinityConfig');
  if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec = { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 * 60 * 60 } } };
  }
  spec = withChanged(spec, 'ports', (ports) => mapItems(ports, setPortDefaults));
  if (isExternallyAccessible(spec)) spec = withDefaults(spec, { externalTrafficPolicy: 'Cluster' });
  if (needsNodePort(spec) || spec.type === 'ClusterIP') {
    spec = withDefaults(spec, { internalTrafficPolicy: 'Cluster' });
  }
  return spec.type === 'LoadBalancer' ? withDefaults(spec, { allocateLoadBalancerNodePorts: true }) : spec;
}

function setPortDefaults(port: core.ServicePort): core.ServicePort {
  const whole = withDefaults(port, { protocol: 'TCP' });
  // A target port is always printed: 0 if it is absent.
  return whole.targetPort || !port.port ? whole : { ...whole, targetPort: port.port };
}

function setStatusDefaults(status: core.ServiceStatus): core.ServiceStatus {
  return withChanged(status, 'loadBalancer', (loadBalancer) =>
    withChanged(loadBalancer, 'ingress', (ingress) =>
      mapItems(ingress, (point) => (point.ip ? withDefaults(point, { ipMode: 'VIP' }) : point)),
    ),
  );
}
