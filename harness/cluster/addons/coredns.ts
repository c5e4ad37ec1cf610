import type { ConfigMap, Deployment, New, Service, ServiceAccount } from '../../api/objects.ts';
import { configMaps, deployments, serviceAccounts, services } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import type { KubeletConfiguration } from '../../contracts/node/index.ts';
import { ensure } from '../ensure.ts';

/** Options of the CoreDNS installation. */
interface CoreDnsOptions {
  /** The address of the DNS Service. @defaultValue 10.96.0.10 */
  readonly clusterDNS?: string;
  /** @defaultValue cluster.local */
  readonly clusterDomain?: string;
  /** @defaultValue 2 */
  readonly replicas?: number;
}

/** The objects that install CoreDNS. */
interface CoreDnsManifests {
  readonly serviceAccount: New<ServiceAccount>;
  readonly configMap: New<ConfigMap>;
  readonly deployment: New<Deployment>;
  readonly service: New<Service>;
}

const NAMESPACE = 'kube-system';
const LABELS = { 'k8s-app': 'kube-dns' };

/**
 * The DNS configuration that kubeadm gives to kubelets: pods query CoreDNS, and pods with another DNS policy query the
 * node's name servers.
 */
export const kubeletWithNames: KubeletConfiguration = {
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
  resolvConf: '/etc/resolv.conf',
  serviceEnvironment: true,
};

/**
 * Returns the objects of CoreDNS as kubeadm installs it.
 *
 * The rights of its service account are in accounts.ts: only a cluster with access control needs them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/addons/dns/manifests.go
 */
function coreDnsManifests({
  clusterDNS = '10.96.0.10',
  clusterDomain = 'cluster.local',
  replicas = 2,
}: CoreDnsOptions = {}): CoreDnsManifests {
  return {
    serviceAccount: { metadata: { name: 'coredns', namespace: NAMESPACE } },
    configMap: {
      metadata: { name: 'coredns', namespace: NAMESPACE },
      data: { Corefile: corefile(clusterDomain) },
    },
    deployment: deployment(replicas),
    service: {
      metadata: {
        name: 'kube-dns',
        namespace: NAMESPACE,
        labels: { ...LABELS, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
        annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
      },
      spec: {
        clusterIP: clusterDNS,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
          { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
        ],
        selector: LABELS,
      },
    },
  };
}

/** Installs CoreDNS. @throws StatusError when one of its objects exists, other than its service account */
export async function installCoreDns(client: Client, options?: CoreDnsOptions): Promise<void> {
  const { serviceAccount, configMap, deployment, service } = coreDnsManifests(options);
  await ensure(client, serviceAccounts, serviceAccount);
  await client.create(configMaps, configMap);
  await client.create(deployments, deployment);
  await client.create(services, service);
}

function corefile(clusterDomain: string): string {
  return `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes ${clusterDomain} in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success ${clusterDomain}
       disable denial ${clusterDomain}
    }
    loop
    reload
    loadbalance
}
`;
}

function deployment(replicas: number): New<Deployment> {
  const apart = {
    weight: 100,
    podAffinityTerm: {
      labelSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] },
      topologyKey: 'kubernetes.io/hostname',
    },
  };
  return {
    metadata: { name: 'coredns', namespace: NAMESPACE, labels: LABELS },
    spec: {
      replicas,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'coredns',
          affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [apart] } },
          tolerations: [
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
          ],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          containers: [
            {
              name: 'coredns',
              image: 'registry.k8s.io/coredns/coredns:v1.14.2',
              imagePullPolicy: 'IfNotPresent',
              resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
              args: ['-conf', '/etc/coredns/Corefile'],
              volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
              ports: [
                { containerPort: 53, name: 'dns', protocol: 'UDP' },
                { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
                { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
                { containerPort: 8080, name: 'liveness-probe', protocol: 'TCP' },
                { containerPort: 8181, name: 'readiness-probe', protocol: 'TCP' },
              ],
              livenessProbe: {
                httpGet: { path: '/health', port: 'liveness-probe', scheme: 'HTTP' },
                initialDelaySeconds: 60,
                timeoutSeconds: 5,
                successThreshold: 1,
                failureThreshold: 5,
              },
              readinessProbe: { httpGet: { path: '/ready', port: 'readiness-probe', scheme: 'HTTP' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
                readOnlyRootFilesystem: true,
              },
            },
          ],
          dnsPolicy: 'Default',
          volumes: [
            {
              name: 'config-volume',
              configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] },
            },
          ],
        },
      },
    },
  };
}
