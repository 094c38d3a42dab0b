project('@name@', 'c', default_options: ['buildtype=release'])
patc = find_program('patc')
kernels = custom_target('kernels', input: '@name@.pat', output: ['@BASENAME@.c', '@BASENAME@.h'], depfile: '@name@.d',
  command: [patc, '-target=cpu', '-o', '@OUTPUT0@', '--header=@OUTPUT1@', '--depfile=@DEPFILE@', '@INPUT@'])
m = meson.get_compiler('c').find_library('m', required: false)
program = executable('@name@', 'main.c', kernels, dependencies: [dependency('openmp', required: false), m])
test('kernel', patc, args: ['test', files('@name@.pat')])
test('program', program)
