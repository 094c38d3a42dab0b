mod agree;
use agree::{agree, Error, Mass};

const N: usize = 5;
const M: usize = 7;

fn main() {
    let mut a = vec![0f32; N * M];
    let mut b = vec![0f64; N * M];
    let mut y = vec![0f64; N * M];
    let mut p = Vec::new();
    for i in 0..N {
        p.push(Mass { at: [i as f64, 0.1 * i as f64 + 0.3], weight: i as f32 / 3.0 });
        for j in 0..M {
            a[i * M + j] = 1.0 / (1 + 7 * i + j) as f32;
            b[j * N + i] = (3 * i + j) as f64 / 7.0;
            y[i * M + j] = i as f64 - j as f64;
        }
    }
    let (mut total, mut row) = (0f64, 0);
    let (n, m) = (N as i64, M as i64);
    agree(n, m, &a, &b, &p, 1.5, true, &mut y, &mut total, &mut row).unwrap();
    for x in &y {
        println!("{:016x}", x.to_bits());
    }
    println!("{:016x}\n{}", total.to_bits(), row);
    match agree(n, m, &a, &b, &p, -1.0, true, &mut y, &mut total, &mut row) {
        Err(Error::Status { text, .. }) => println!("{text}"),
        other => panic!("{other:?}"),
    }
    let wrong = agree(n, m, &a, &b[1..], &p, 1.0, true, &mut y, &mut total, &mut row).unwrap_err();
    assert_eq!(wrong.to_string(), "agree: b has 34 elements, which is not what the sizes say");
    let wrong = agree(-n, -m, &a, &b, &p, 1.0, true, &mut y, &mut total, &mut row).unwrap_err();
    assert!(matches!(wrong, Error::Length { .. }));
}
