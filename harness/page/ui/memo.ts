import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** Wraps a component so that it is drawn again only when one of its properties is another value. */
export function memo<P extends object>(
  draw: (props: P) => ComponentChild,
  name = draw.name,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    static override displayName = name;
    override shouldComponentUpdate(next: P): boolean {
      const [a, b] = [this.props as Record<string, unknown>, next as Record<string, unknown>];
      const keys = Object.keys(b);
      return keys.length !== Object.keys(a).length || keys.some((key) => !Object.is(a[key], b[key]));
    }
    override render(props: P): ComponentChild {
      return h(draw as FunctionComponent<P>, props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
