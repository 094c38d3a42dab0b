program main
  use, intrinsic :: iso_c_binding
  use agree_kernels
  implicit none (type, external)
  integer, parameter :: n = 5, m = 7
  real(c_float) :: a(m, n)
  real(c_double) :: b(n, m), y(m, n), total
  type(mass) :: p(n)
  integer(c_int64_t) :: row
  integer(c_int) :: status
  integer :: i, j
  character(kind=c_char), pointer :: words(:)
  do i = 0, n - 1
    p(i + 1)%at = [real(i, c_double), 0.1_c_double * i + 0.3_c_double]
    p(i + 1)%weight = real(i, c_float) / 3
    do j = 0, m - 1
      a(j + 1, i + 1) = 1.0_c_float / real(1 + 7 * i + j, c_float)
      b(i + 1, j + 1) = (3 * i + j) / 7.0_c_double
      y(j + 1, i + 1) = i - j
    end do
  end do
  call agree(a, b, p, 1.5_c_float, .true._c_bool, y, total, row)
  do i = 1, n
    do j = 1, m
      call bits(y(j, i))
    end do
  end do
  call bits(total)
  print "(i0)", row
  call agree(a, b, p, -1.0_c_float, .true._c_bool, y, total, row, status)
  call c_f_pointer(agree_strerror(status), words, [31])
  print "(31a)", words
  call agree(a, b(:, 2:), p, 1.0_c_float, .true._c_bool, y, total, row, status)
  if (status /= -1) error stop "another shape is taken"
contains
  subroutine bits(x)
    real(c_double), intent(in) :: x
    character(16) :: word
    integer :: k
    write (word, "(z16.16)") transfer(x, 0_c_int64_t)
    do k = 1, 16
      if (word(k:k) >= "A") word(k:k) = achar(iachar(word(k:k)) + 32)
    end do
    print "(a)", word
  end subroutine
end program
