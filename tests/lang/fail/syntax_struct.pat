struct A { x: f32; y: f32 }
struct B { x f32 }
struct C { }
struct D { x: f32, }
struct { x: f32 }
