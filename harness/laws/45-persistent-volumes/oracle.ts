import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { PROVISIONED_BY, SELECTED_NODE, type Snapshot, wasBound } from './history.ts';

/** The pending obligations of the controllers, from the promises of the API. It shares no code with the reference. */

/** Returns the pending obligations in a snapshot, as phrases that follow "it has still to". */
export function obligations(snapshot: Snapshot): readonly string[] {
  return [
    ...snapshot.volumes.flatMap((volume) => ofVolume(volume, snapshot)),
    ...snapshot.claims.flatMap((claim) => ofClaim(claim, snapshot)),
    ...snapshot.pods.flatMap((pod) => ofPod(pod, snapshot)),
  ];
}

/** Returns whether a volume can serve a claim by its size, modes, class and label, whoever has it. */
export function fits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { matchLabels = {} } = claim.spec.selector ?? {};
  return (
    isBigEnough(volume, claim) &&
    hasModes(volume, claim) &&
    (volume.spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
    Object.entries(matchLabels).every(([label, value]) => volume.metadata.labels?.[label] === value)
  );
}

/** Returns whether an administrator has reserved the volume for a claim of this name. */
export function isReserved({ spec: { claimRef } }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return !!claimRef && !claimRef.uid && isNamed(claimRef, claim);
}

/** Returns whether a volume can be bound to a claim now. */
export function canServe(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  if (volume.metadata.deletionTimestamp) return false;
  if (isReserved(volume, claim)) return isBigEnough(volume, claim) && hasModes(volume, claim);
  return !volume.spec.claimRef && volume.status.phase === 'Available' && fits(volume, claim);
}

export function gibOf({ spec }: PersistentVolume): number {
  return parseQuantity(spec.capacity?.storage ?? '0').value();
}

function isBigEnough(volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean {
  return gibOf(volume) >= parseQuantity(spec.resources?.requests?.storage ?? '0').value();
}

function hasModes({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode));
}

function isNamed(
  { namespace, name }: { readonly namespace?: string; readonly name?: string },
  { metadata }: PersistentVolumeClaim,
): boolean {
  return namespace === metadata.namespace && name === metadata.name;
}

function ofVolume(volume: PersistentVolume, { claims }: Snapshot): readonly string[] {
  const { name, deletionTimestamp, finalizers = [] } = volume.metadata;
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
  const { phase } = volume.status;
  if (deletionTimestamp && phase !== 'Bound') return [`let ${name} go`];
  const due: string[] = [];
  if (!deletionTimestamp && !finalizers.includes('kubernetes.io/pv-protection')) due.push(`protect ${name}`);
  const claim = claims.find(({ metadata }) => metadata.uid === claimRef?.uid);
  if (!claimRef?.uid) return [...due, ...phaseDue(volume, 'Available')];
  if (claim && !claim.spec.volumeName) return [...due, `finish the binding of ${name}`];
  if (claim?.spec.volumeName === name) return [...due, ...phaseDue(volume, 'Bound')];
  const isProvisioned = volume.metadata.annotations?.[PROVISIONED_BY] !== undefined;
  if (claim && !(isProvisioned && policy === 'Delete')) return [...due, `release ${name} from its claim`];
  if (policy === 'Delete' && (isProvisioned || volume.spec.hostPath?.path.startsWith('/tmp/'))) {
    return [...due, `delete ${name}`];
  }
  // A volume that failed once stays so, even if its policy is changed.
  if (phase === 'Failed') return due;
  return [...due, ...phaseDue(volume, policy === 'Delete' ? 'Failed' : 'Released')];
}

function phaseDue({ metadata, status }: PersistentVolume, phase: string): readonly string[] {
  return status.phase === phase ? [] : [`set the phase of ${metadata.name} to ${phase}`];
}

function ofClaim(claim: PersistentVolumeClaim, snapshot: Snapshot): readonly string[] {
  const { name, deletionTimestamp, finalizers = [] } = claim.metadata;
  if (deletionTimestamp && !snapshot.pods.some((pod) => pod.spec.nodeName && claimsOf(pod).includes(name))) {
    return [`let ${name} go`];
  }
  const isProtected = finalizers.includes('kubernetes.io/pvc-protection');
  return [
    ...(deletionTimestamp || isProtected ? [] : [`protect ${name}`]),
    ...(wasBound(claim) ? ofBoundClaim(claim, snapshot) : ofUnboundClaim(claim, snapshot)),
  ];
}

function ofBoundClaim(claim: PersistentVolumeClaim, { volumes }: Snapshot): readonly string[] {
  const { name, uid } = claim.metadata;
  const volume = volumes.find(({ metadata }) => metadata.name === claim.spec.volumeName);
  const { claimRef } = volume?.spec ?? {};
  const isLost = !volume || (claimRef !== undefined && claimRef.uid !== uid);
  if (isLost) return claim.status.phase === 'Lost' ? [] : [`set the phase of ${name} to Lost`];
  if (!claimRef) return [`bind ${name} to ${volume.metadata.name} again`];
  if (claim.status.phase !== 'Bound') return [`set the phase of ${name} to Bound`];
  const isSame =
    claim.status.capacity?.storage === volume.spec.capacity?.storage &&
    String(claim.status.accessModes) === String(volume.spec.accessModes);
  return isSame ? [] : [`report the capacity and the modes of ${volume.metadata.name} in ${name}`];
}

function ofUnboundClaim(claim: PersistentVolumeClaim, { volumes, nodes }: Snapshot): readonly string[] {
  const { name, annotations = {} } = claim.metadata;
  const { volumeName, storageClassName: className } = claim.spec;
  if (claim.status.phase !== 'Pending') return [`set the phase of ${name} to Pending`];
  if (volumeName) {
    const asked = volumes.find(({ metadata }) => metadata.name === volumeName);
    if (!asked) return [];
    const isFree = asked.spec.claimRef ? isReserved(asked, claim) : !asked.metadata.deletionTimestamp;
    // The user has chosen, so neither the label nor the phase matters.
    const unselected = { ...claim, spec: { ...claim.spec, selector: {} } };
    return isFree && (isReserved(asked, claim) || fits(asked, unselected))
      ? [`bind ${name} to ${volumeName}`]
      : [];
  }
  const served = volumes.find((volume) => canServe(volume, claim));
  const isDelayed = className === 'local' || className === 'standard';
  if (served && (!isDelayed || isReserved(served, claim))) return [`bind ${name} to ${served.metadata.name}`];
  if (className === undefined) return [`give ${name} the default class`];
  const selected = annotations[SELECTED_NODE];
  if (className !== 'standard' || selected === undefined) return [];
  const hasNode = nodes.some(({ metadata }) => metadata.name === selected);
  return [hasNode ? `create a volume for ${name}` : `return ${name} to the scheduler`];
}

function claimsOf({ spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

/** A pod can be bound if one node can have all its volumes. */
function ofPod(pod: Pod, snapshot: Snapshot): readonly string[] {
  const { name } = pod.metadata;
  if (pod.spec.nodeName) return [];
  const claims = claimsOf(pod).map((each) => snapshot.claims.find(({ metadata }) => metadata.name === each));
  const usable = claims.filter(
    (claim): claim is PersistentVolumeClaim =>
      claim !== undefined && claim.status.phase !== 'Lost' && !claim.metadata.deletionTimestamp,
  );
  if (usable.length < claims.length) return [];
  return snapshot.nodes.some((node) => canHaveAll(node, usable, snapshot)) ? [`bind ${name} to a node`] : [];
}

function canHaveAll(node: Node, claims: readonly PersistentVolumeClaim[], { volumes }: Snapshot): boolean {
  const taken = new Set<string>();
  const bySize = claims.toSorted((a, b) => requestOf(a) - requestOf(b));
  return bySize.every((claim) => {
    const { volumeName, storageClassName } = claim.spec;
    if (wasBound(claim)) {
      const volume = volumes.find(({ metadata }) => metadata.name === volumeName);
      return volume !== undefined && isUsableOn(volume, node);
    }
    if (volumeName || (storageClassName !== 'local' && storageClassName !== 'standard')) return false;
    const selected = claim.metadata.annotations?.[SELECTED_NODE];
    if (selected !== undefined) return selected === node.metadata.name;
    const [smallest] = volumes
      .filter((each) => canServe(each, claim) && !taken.has(each.metadata.name) && isUsableOn(each, node))
      .sort((a, b) => gibOf(a) - gibOf(b));
    if (smallest) taken.add(smallest.metadata.name);
    return smallest !== undefined || storageClassName === 'standard';
  });
}

function requestOf({ spec }: PersistentVolumeClaim): number {
  return parseQuantity(spec.resources?.requests?.storage ?? '0').value();
}

/** Returns whether pods on the node can use the volume. */
export function isUsableOn({ spec: { nodeAffinity } }: PersistentVolume, { metadata }: Node): boolean {
  const terms = nodeAffinity?.required?.nodeSelectorTerms;
  return (
    !terms || terms.some(({ matchExpressions = [] }) => matchExpressions[0]?.values?.includes(metadata.name))
  );
}
