import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { derive } from './derive.ts';
import { ApiTypes, apiTypes } from './table.ts';
import { declarationsOf } from './type-declarations.ts';

const widget = `
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +genclient
// +genclient:nonNamespaced

// Widget turns.
type Widget struct {
	metav1.TypeMeta \`json:",inline"\`
	// +optional
	metav1.ObjectMeta \`json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"\`

	// How it turns.
	// +listType=map
	// +listMapKey=name
	// +featureGate=Turning
	Turns []Turn \`json:"turns,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,2,rep,name=turns"\`
	// +default=ref(Right)
	Way Way \`json:"way" protobuf:"bytes,3,opt,name=way"\`
	// Fields for Go programs only.
	cache int
	Hidden bool \`json:"-"\`
}

type Turn struct {
	Name string \`json:"name"\`
	By   map[Way]*int32 \`json:"by,omitempty,omitzero"\`
}

// +enum
type Way string

const (
	Left  Way = "Left"
	Right Way = "Right"
	Up        = Way("Up")
	Zero      = Way(metav1.Zero)
)
`;

const register = `
const GroupName = "apps"

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion,
		&Widget{},
	)
	scheme.AddKnownTypeWithName(
		internal.WithKind("Internal"),
		&Internal{},
	)
}
`;

const meta = `
// +structType=atomic
type TypeMeta struct {
	Kind string \`json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"\`
}

type ObjectMeta struct {
	CreationTimestamp Time \`json:"creationTimestamp,omitempty,omitzero" protobuf:"bytes,8,opt"\`
}

type Time struct {
	time.Time
}

const Zero Hour = "Zero"

type WatchEvent struct {
	Type string \`json:"type"\`
}

type Patch struct{}

func (t *Time) UnmarshalJSON(b []byte) error {
`;

/** Returns the files of an API with one kind. */
const read = (types: string) => (home: { readonly directory: string }) =>
  home.directory === 'apps/v1'
    ? new Map([
        ['types.go', types],
        ['register.go', register],
      ])
    : new Map(home.directory === 'pkg/apis/meta/v1' ? [['types.go', meta]] : []);

describe('derive', () => {
  const { packages } = derive('v9', read(widget));

  test('finds the registered kinds of a group, their scope, and their structs', () => {
    expect(packages['apps/v1']).toMatchObject({ apiVersion: 'apps/v1', kinds: { Widget: 'Cluster' } });
    expect(Object.keys(packages['apps/v1']?.structs ?? {})).toEqual(['Turn', 'Widget']);
    expect(packages['meta/v1']?.structs).toEqual({
      ObjectMeta: { creationTimestamp: 'Time #8 omitempty omitzero' },
      Patch: {},
      TypeMeta: { kind: 'string #1 omitempty' },
      WatchEvent: { type: 'string' },
    });
  });

  test('records how a struct is merged, if its declaration has a marker', () => {
    expect(packages['meta/v1']?.structTypes).toEqual({ TypeMeta: 'atomic' });
    expect(packages['apps/v1']?.structTypes).toBeUndefined();
  });

  test('converts the struct tags and markers of a field', () => {
    expect(packages['apps/v1']?.structs.Widget).toEqual({
      'embedded TypeMeta': 'meta/v1.TypeMeta struct=atomic',
      metadata: 'meta/v1.ObjectMeta #1 omitempty',
      turns: '[]Turn #2 omitempty gate=Turning patch=merge:name list=map:name',
      way: 'Way #3 default="Right"',
    });
    expect(packages['apps/v1']?.structs.Turn?.by).toBe('map[string]*int32 omitempty omitzero');
  });

  test('lists named types with another underlying type, and types that decode themselves', () => {
    expect(packages['apps/v1']?.named).toEqual({ Way: 'string enum=Left,Right,Up,Zero' });
    expect(packages['meta/v1']?.named).toEqual({ Time: 'custom' });
  });

  test('rejects unknown source', () => {
    const changed = (from: string, to: string) => () => derive('v9', read(widget.replace(from, to)));
    expect(changed('cache int', 'cache func(string) error')).toThrow(
      '"cache func(string) error" is not a field',
    );
    expect(changed('[]Turn', '[]Twist')).toThrow('Failed to find apps/v1.Twist');
    expect(changed('metav1.ObjectMeta', 'other.ObjectMeta')).toThrow('Failed to resolve other in apps/v1');
    expect(changed('ref(Right)', 'ref(Down)')).toThrow('Failed to read the constant Down in apps/v1');
    expect(changed('metav1.Zero', 'metav1.One')).toThrow('Failed to read the constant One in meta/v1');
    expect(changed('type Way string', 'type Turn string')).toThrow('Turn is declared twice');
  });
});

describe('declarationsOf', () => {
  test('generates interfaces: optional for fields that a client may omit, null where Go prints an absent time', () => {
    const types = new ApiTypes(
      derive('v9', read(widget.replace('Way Way', 'At metav1.Time `json:"at,omitempty"`\n\tWay Way'))),
    );
    expect(declarationsOf(types).get('apps/v1.d.ts')?.split('\n').slice(1)).toEqual([
      "import type * as meta from '../meta/v1.d.ts';",
      ...['export interface Turn {', '  name: string;', '  by?: { [name: string]: number };', '}'],
      ...['export interface Widget {', '  kind?: string;', '  metadata?: meta.ObjectMeta;'],
      ...['  turns?: Array<Turn>;', '  at?: string | null;', '  way: string;', '}', ''],
    ]);
  });

  test('generates the type files of this project', () => {
    const files = declarationsOf(apiTypes);
    expect(files.size).toBeGreaterThan(20);
    for (const [path, text] of files) {
      expect(readFileSync(new URL(`../types/${path}`, import.meta.url), 'utf8'), path).toBe(text);
    }
  });
});
