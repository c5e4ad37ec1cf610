/** Commands whose results differ from upstream, for one reason. */
interface KnownFailure {
  /** The reason, as in docs/limits.md, or a kubectl that is too old. */
  readonly why: string;
  /** The first kubectl 1.x that works. Absent: none does. */
  readonly untilMinor?: number;
  /** Each with the source of its script. */
  readonly commands: readonly (readonly [source: string, command: string])[];
}

/** The failing commands. They must keep failing: remove a command once it works. */
export const knownFailures: readonly KnownFailure[] = [
  {
    why: 'kubectl apply accepts --subresource from 1.32 on.',
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
    why: 'kubectl wait accepts --for=create from 1.31 on.',
    untilMinor: 31,
    commands: [
      ['wait.sh run_wait_tests', 'kubectl wait --for=create deploy/test-1 --timeout=1s'],
      [
        'wait.sh run_wait_tests',
        '(sleep 0.3; kubectl create deployment test-label --image=busybox >$HOME/wait) & kubectl wait --for=create deploy/test-label --timeout=40s',
      ],
    ],
  },
  {
    why: 'kubectl delete accepts --interactive from 1.29 on; 1.28 accepts it only with an environment variable.',
    untilMinor: 29,
    commands: [
      [
        'delete.sh run_kubectl_delete_interactive_tests',
        'echo n | kubectl delete configmap --dry-run=server --interactive -l deletetest4=true',
      ],
      [
        'delete.sh run_kubectl_delete_interactive_tests',
        'echo y | kubectl delete configmap --dry-run=server --interactive -l deletetest4=true',
      ],
      [
        'delete.sh run_kubectl_delete_interactive_tests',
        'echo n | kubectl delete configmap --interactive -l deletetest4=true',
      ],
      [
        'delete.sh run_kubectl_delete_interactive_tests',
        'echo y | kubectl delete configmap --interactive -l deletetest4=true --wait',
      ],
      [
        'delete.sh run_kubectl_delete_interactive_tests',
        "kubectl get configmap -l deletetest4=true -o go-template='{{range.items}}{{.metadata.name}}:{{end}}'",
      ],
    ],
  },
  {
    why: 'kubectl wait accepts a JSONPath with an equals sign from 1.29 on.',
    untilMinor: 29,
    commands: [
      [
        'wait.sh run_wait_tests',
        `kubectl wait --for='jsonpath={.spec.template.spec.containers[?(@.name=="busybox")].image}=busybox' deploy/test-label`,
      ],
    ],
  },
  {
    why: 'kubectl wait accepts a JSONPath without a value from 1.28 on.',
    untilMinor: 28,
    commands: [
      ['wait.sh run_wait_tests', "kubectl wait --for=jsonpath='{.status.replicas}' deploy/test-label"],
    ],
  },
  {
    why: 'kubectl version prints short versions from 1.28 on; before, it prints whole Go structs.',
    untilMinor: 28,
    commands: [['version.sh run_kubectl_version_tests', 'kubectl version']],
  },
  {
    why: 'kubectl create job --from makes the CronJob the controller of the Job from 1.28 on.',
    untilMinor: 28,
    commands: [['batch.sh run_job_tests', 'kubectl describe job/test-job']],
  },
  {
    why: 'kubectl auth whoami uses v1 of authentication.k8s.io from 1.28 on, and no other version is served.',
    untilMinor: 28,
    commands: [['auth_whoami.sh run_kubectl_auth_whoami_tests', 'kubectl auth whoami -o json']],
  },
  {
    why: 'No controller reports the state of a node without a kubelet as unknown.',
    commands: [['core.sh run_nodes_tests', 'kubectl describe nodes 127.0.0.1 --show-events=true']],
  },
  {
    why: 'The schemas and operations of OpenAPI have no descriptions.',
    commands: [['discovery.sh', "kubectl get --raw /openapi/v2 | grep -c 'list of returned'"]],
  },
  {
    why: 'Upstream runs the scripts without the plugin ServiceAccount. Its volume keeps a pod from being replaced by its manifest.',
    commands: [
      ['save-config.sh run_save_config_tests', 'kubectl replace -f pod.yaml --save-config'],
      ['save-config.sh run_save_config_tests', 'kubectl get pod/test-pod -o yaml'],
      [
        'generic-resources.sh run_recursive_resources_tests',
        "kubectl get pods -o go-template='{{range.items}}{{.metadata.labels.status}}:{{end}}'",
      ],
    ],
  },
];

/** Returns why a command of a script fails with kubectl 1.`minor`; undefined if it must work. */
export function knownFailure(source: string, command: string, minor: number): string | undefined {
  return knownFailures.find(
    ({ commands, untilMinor = Number.POSITIVE_INFINITY }) =>
      minor < untilMinor &&
      commands.some(([itsSource, itself]) => itsSource === source && itself === command),
  )?.why;
}
