/**
 * Descriptions of the fields that manifests use most, by type and field. Another language replaces this table.
 * The schemas of the apiserver have no descriptions, because those are upstream's texts.
 */
export const fieldTexts: Readonly<Record<string, string>> = {
  'meta/v1.ObjectMeta.name': 'The name, unique for its kind in its namespace.',
  'meta/v1.ObjectMeta.generateName': 'The beginning of a name that the server completes at random.',
  'meta/v1.ObjectMeta.namespace': 'The namespace. `default` if it is missing.',
  'meta/v1.ObjectMeta.labels': 'Names and values. Selectors find objects by them.',
  'meta/v1.ObjectMeta.annotations': 'Names and values for programs. Selectors ignore them.',
  'meta/v1.ObjectMeta.finalizers': 'The object stays, marked as deleted, until this list is empty.',
  'meta/v1.ObjectMeta.ownerReferences': 'The garbage collector deletes the object after its last owner.',
  'meta/v1.LabelSelector.matchLabels': 'Labels that an object must have, each with this value.',
  'meta/v1.LabelSelector.matchExpressions': 'Conditions on labels. All of them must hold.',
  'apps/v1.DeploymentSpec.replicas': 'The number of pods. 1 if it is missing.',
  'apps/v1.DeploymentSpec.selector': 'The labels of its pods. Nobody can change it later.',
  'apps/v1.DeploymentSpec.template': 'The pod to create. A change of it begins a roll-out.',
  'apps/v1.DeploymentSpec.strategy': 'How a roll-out replaces old pods.',
  'apps/v1.DeploymentSpec.minReadySeconds':
    'The time that a new pod must be ready before it counts as available.',
  'apps/v1.DeploymentSpec.paused': 'Whether changes of the template wait.',
  'apps/v1.DeploymentSpec.progressDeadlineSeconds':
    'Without progress for this time, the roll-out counts as failed. 600 if it is missing.',
  'apps/v1.DeploymentSpec.revisionHistoryLimit': 'The number of old ReplicaSets that stay for an undo.',
  'apps/v1.RollingUpdateDeployment.maxSurge':
    'Pods above the desired number during a roll-out: a number or a share.',
  'apps/v1.RollingUpdateDeployment.maxUnavailable':
    'Pods that may be missing during a roll-out: a number or a share.',
  'core/v1.PodTemplateSpec.metadata': 'The metadata of each pod. Its labels must match the selector.',
  'core/v1.PodTemplateSpec.spec': 'The specification of each pod.',
  'core/v1.PodSpec.containers': 'The containers of the pod. They start together, and share its network.',
  'core/v1.PodSpec.initContainers':
    'Containers that run one after the other before the others start. With restartPolicy Always it is a sidecar.',
  'core/v1.PodSpec.nodeSelector': 'Labels that the node must have.',
  'core/v1.PodSpec.nodeName': 'The node. The scheduler fills it in.',
  'core/v1.PodSpec.affinity': 'Rules that attract the pod to nodes or to other pods, or keep it away.',
  'core/v1.PodSpec.tolerations': 'The taints of nodes that the pod accepts.',
  'core/v1.PodSpec.topologySpreadConstraints': 'Rules that spread the pods over nodes or zones.',
  'core/v1.PodSpec.priorityClassName': 'The class of its priority. A pod may preempt pods of lower priority.',
  'core/v1.PodSpec.restartPolicy': 'When the kubelet restarts containers that have ended.',
  'core/v1.PodSpec.terminationGracePeriodSeconds':
    'The time between the signal to stop and the kill of its containers. 30 if it is missing.',
  'core/v1.PodSpec.activeDeadlineSeconds': 'The longest time that the pod may run.',
  'core/v1.PodSpec.volumes': 'The volumes that its containers may mount.',
  'core/v1.Container.name': 'The name, unique in the pod.',
  'core/v1.Container.image': 'The image: registry, name and tag.',
  'core/v1.Container.imagePullPolicy': 'When the kubelet pulls the image. Always for the tag latest.',
  'core/v1.Container.command':
    'The program and its first arguments, in place of the entrypoint of the image.',
  'core/v1.Container.args': 'Arguments, in place of the command of the image.',
  'core/v1.Container.env': 'Environment variables.',
  'core/v1.Container.ports':
    'Ports with names, for probes and Services. The container may listen on others, too.',
  'core/v1.Container.resources': 'Requests for the scheduler, and limits for the container runtime.',
  'core/v1.Container.readinessProbe': 'While it fails, the pod is no endpoint of its Services.',
  'core/v1.Container.livenessProbe': 'When it fails, the kubelet restarts the container.',
  'core/v1.Container.startupProbe': 'Until it succeeds, the other probes wait.',
  'core/v1.Container.lifecycle': 'Hooks after the start and before the stop.',
  'core/v1.Container.volumeMounts': 'The places of volumes in its file system.',
  'core/v1.ResourceRequirements.requests': 'Resources that a node must have free for the pod.',
  'core/v1.ResourceRequirements.limits': 'Resources that the container may use at most.',
  'core/v1.Probe.httpGet': 'Succeeds if a request is answered with a status from 200 to 399.',
  'core/v1.Probe.exec': 'Succeeds if a command in the container exits with 0.',
  'core/v1.Probe.tcpSocket': 'Succeeds if the port accepts a connection.',
  'core/v1.Probe.periodSeconds': 'The interval between two probes. 10 if it is missing.',
  'core/v1.Probe.failureThreshold': 'The number of failures in a row that count. 3 if it is missing.',
  'core/v1.Probe.initialDelaySeconds': 'The time between the start of the container and the first probe.',
  'core/v1.Probe.timeoutSeconds': 'Without an answer for this time, the probe fails. 1 if it is missing.',
  'core/v1.ServiceSpec.selector': 'The labels of the pods behind the Service.',
  'core/v1.ServiceSpec.ports': 'The ports of the Service.',
  'core/v1.ServiceSpec.type': 'Where the Service can be reached: inside, or at a port of each node as well.',
  'core/v1.ServiceSpec.clusterIP': 'Its address inside the cluster. None for a headless Service.',
  'core/v1.ServicePort.port': 'The port of the Service.',
  'core/v1.ServicePort.targetPort':
    'The port of the pods, as a number or a name. The same number if it is missing.',
  'core/v1.ServicePort.nodePort': 'The port of each node, from 30000 to 32767.',
};
