/* A program that does nothing. Linked with one module and the modules it may use, it shows
 * that the module needs no other. */
int main(void)
{
    return 0;
}
