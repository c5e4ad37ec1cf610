import type { HopDetails } from '../../protocol/details.ts';
import type { PlaceId } from '../../protocol/view.ts';

/** The way of a packet from place to place. */
export interface PacketWay {
  /** The places on the way there, in order; steps at one place are one stop. */
  readonly there: readonly PlaceId[];
  /** The places on the way of the answer; empty without an answer. */
  readonly back: readonly PlaceId[];
  /** The numbers of the stops at each place: `1, 6`. They count on from the way there to the way back. */
  readonly numbers: ReadonlyMap<PlaceId, string>;
  /** Whether the packet got lost, or was rejected. */
  readonly isLost: boolean;
}

/** Returns the way of a packet. @param fate the end of the way: `delivered to web-1`, or the reason of a loss */
export function packetWayOf(hops: readonly HopDetails[], fate = ''): PacketWay {
  const stops = hops.filter(({ direction, where }, index) => {
    const before = hops[index - 1];
    return before?.where !== where || before.direction !== direction;
  });
  const numbers = new Map<PlaceId, string>();
  stops.forEach(({ place }, index) => {
    const before = numbers.get(place);
    numbers.set(place, before === undefined ? `${index + 1}` : `${before}, ${index + 1}`);
  });
  const places = (wanted: HopDetails['direction']) =>
    stops.filter(({ direction }) => direction === wanted).map(({ place }) => place);
  return {
    there: places('there'),
    back: places('back'),
    numbers,
    isLost: !fate.startsWith('delivered'),
  };
}
