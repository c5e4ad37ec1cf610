/** Commands that do not do here what they do upstream, for one reason. */
interface KnownFailure {
  /** Why, as docs/limits.md has it, or because kubectl is too old. */
  readonly why: string;
  /** With this kubectl 1.x and later ones they do. Absent: with none. */
  readonly untilMinor?: number;
  /** Each with the source of its script. */
  readonly commands: readonly (readonly [source: string, command: string])[];
}

/** What fails. It must go on failing: what works is to be taken off the list. */
export const knownFailures: readonly KnownFailure[] = [
  {
    why: 'kubectl apply takes --subresource from 1.32 on.',
    untilMinor: 32,
    commands: [
      [
        'apply.sh run_kubectl_server_side_apply_tests: pods',
        'kubectl apply --server-side --subresource=status --field-manager=mine -f pod-apply-status.yaml',
      ],
      [
        'apply.sh run_kubectl_server_side_apply_tests: pods',
        "kubectl get -f pod.yaml -o=jsonpath='{.status.conditions[*].type}'",
      ],
    ],
  },
  {
    why: 'Nothing acts on a StatefulSet.',
    commands: [
      [
        'apps.sh run_stateful_set_tests',
        "kubectl wait --for=jsonpath='{.status.observedGeneration}'=2 --timeout=1s statefulset nginx-set",
      ],
    ],
  },
  {
    why: 'Nothing says of a node without a kubelet that its state is unknown.',
    commands: [['core.sh run_nodes_tests', 'kubectl describe nodes 127.0.0.1 --show-events=true']],
  },
  {
    why: 'No answer is compressed.',
    commands: [['get.sh run_kubectl_response_compression_tests', 'kubectl get configmaps --v=7']],
  },
  {
    why: 'The lists of resources tell no storageVersionHash.',
    commands: [['discovery.sh', 'kubectl get --raw=/api/v1']],
  },
  {
    why: 'The schemas and operations of OpenAPI have no descriptions.',
    commands: [['discovery.sh', "kubectl get --raw /openapi/v2 | grep -c 'list of returned'"]],
  },
  {
    why: 'Roles are never asked, so that there are none from the start.',
    commands: [
      [
        'rbac.sh run_clusterroles_tests: what every cluster has',
        "kubectl get clusterroles/cluster-admin -o go-template='{{.metadata.name}}'",
      ],
      [
        'rbac.sh run_clusterroles_tests: what every cluster has',
        "kubectl get clusterrolebindings/cluster-admin -o go-template='{{.metadata.name}}'",
      ],
    ],
  },
  {
    why: 'Nobody is authenticated, and nobody impersonates.',
    commands: [
      [
        'authorization.sh run_impersonation_tests',
        "kubectl get csr/impersonated -o go-template='{{.spec.username}}'",
      ],
    ],
  },
];

/** Why a command of a script is known to fail with kubectl 1.`minor`; undefined where it is to work. */
export function knownFailure(source: string, command: string, minor: number): string | undefined {
  return knownFailures.find(
    ({ commands, untilMinor = Number.POSITIVE_INFINITY }) =>
      minor < untilMinor &&
      commands.some(([itsSource, itself]) => itsSource === source && itself === command),
  )?.why;
}
